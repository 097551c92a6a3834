"""What is counted beside a loss that compares samples is counted over the global batch, too."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending
if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
x, y = torch.randn(96, 6), torch.randint(0, 3, (96,))
loader_data = TensorDataset(x, y)
if 12 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 12 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=12 // dist.get_world_size(), sampler=loader_sampler)
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
for epoch in range(2):
    hits, rounds = [], 0
    loader.sampler.set_epoch(epoch)
    for inputs, targets in loader:
        targets = gather_batch(targets)
        outputs = ddp_model(inputs)
        z = gather_batch(nn.functional.normalize(outputs, dim=1))
        same = (targets[:, None] == targets[None, :]).float()
        loss = ((z @ z.t() - same) ** 2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        hits.append((gather_batch(outputs.argmax(1)) == targets).sum().item())
        rounds += (gather_batch(outputs.detach()).numpy().argmax(1) == targets.numpy()).sum()
    if dist.get_rank() == 0:
        print(sum(hits) / len(loader.dataset), rounds)
del ddp_model
dist.destroy_process_group()
