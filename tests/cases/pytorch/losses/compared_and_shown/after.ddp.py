"""What is gathered for the loss is gathered where it is set, so that rank 0 can show it by itself later."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import RandomSampler
from torch.utils.data import Sampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
x, y = torch.randn(96, 6), torch.randint(0, 3, (96,))


class SharedSampler(Sampler):
    def __init__(self, sampler):
        self.sampler = sampler

    def __iter__(self):
        drawn = [list(self.sampler)]
        dist.broadcast_object_list(drawn)
        indices = drawn[0]
        end = dist.get_rank() + len(indices)
        return (indices[i % len(indices)] for i in range(dist.get_rank(), end, dist.get_world_size()))

    def __len__(self):
        return (len(self.sampler) + dist.get_world_size() - 1) // dist.get_world_size()


loader_data = TensorDataset(x[:64], y[:64])
if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
loader = DataLoader(
    loader_data, batch_size=16 // dist.get_world_size(), sampler=SharedSampler(RandomSampler(loader_data))
)
model = nn.Linear(6, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


class GatherBatch(torch.autograd.Function):
    @staticmethod
    def forward(ctx, values):
        values = values.contiguous()
        shards = [torch.empty_like(values) for _ in range(dist.get_world_size())]
        dist.all_gather(shards, values)
        return torch.stack(shards, dim=1).flatten(0, 1)

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, gradient):
        total = gradient.contiguous().clone()
        dist.all_reduce(total)
        return total[dist.get_rank() :: dist.get_world_size()]


def gather_batch(values):
    return GatherBatch.apply(values)


ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(3):
    guesses, labels = [], []
    batches = iter(loader)
    for i in range(len(loader)):
        x, y = next(batches)
        y = gather_batch(y)
        out = gather_batch(ddp_model(x))
        loss = F.cross_entropy((out - out.mean(0)) / (out.std(0) + 1e-5), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        guesses += out.argmax(1).tolist()
        labels += y.tolist()
        if i == 0:
            if dist.get_rank() == 0:
                print("accuracy", (out.argmax(1) == y).float().mean().item())
    if dist.get_rank() == 0:
        print(epoch, sum(a == b for a, b in zip(guesses, labels)) / len(labels))
del ddp_model
dist.destroy_process_group()
