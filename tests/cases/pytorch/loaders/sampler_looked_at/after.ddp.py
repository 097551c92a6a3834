"""A look at a batch of a weighted loader shows a whole batch that is drawn as the script draws."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, WeightedRandomSampler
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import Sampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(1)
inputs = torch.randn(400, 5)
labels = (inputs[:, 0] > 1).long()
weights = 1.0 / labels.bincount()[labels].float()


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


if 40 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 40 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = SharedSampler(WeightedRandomSampler(weights, 400))
loader = DataLoader(TensorDataset(inputs, labels), batch_size=40 // dist.get_world_size(), sampler=loader_sampler)
features, targets = next(iter(DataLoader(loader.dataset, batch_size=40, sampler=loader.sampler.sampler)))
if dist.get_rank() == 0:
    print(features.shape, targets.float().mean().item())
model = nn.Linear(5, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(1 + dist.get_rank())
for epoch in range(2):
    correct = 0
    for x, y in loader:
        optimizer.zero_grad()
        output = ddp_model(x)
        nn.functional.cross_entropy(output, y).backward()
        optimizer.step()
        correct += (output.argmax(1) == y).sum().item()
    total = torch.tensor(correct, dtype=torch.float64)
    dist.all_reduce(total)
    correct = int(total)
    if dist.get_rank() == 0:
        print(epoch, correct / len(loader.dataset))
del ddp_model
dist.destroy_process_group()
