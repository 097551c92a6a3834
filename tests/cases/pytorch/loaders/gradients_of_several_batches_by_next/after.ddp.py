"""Each update collects the gradients of four batches that next() takes from a loader."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.utils.data import RandomSampler
from torch.utils.data import Sampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
x = torch.randn(96, 6)
y = (x[:, 0] > 0).long()


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


loader_data = TensorDataset(x, y)
if 12 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 12 cannot be shared out over {dist.get_world_size()} processes")
loader = DataLoader(
    loader_data, batch_size=12 // dist.get_world_size(), sampler=SharedSampler(RandomSampler(loader_data))
)
model = nn.Linear(6, 2)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
iterator = iter(loader)
for tensor in [*model.parameters(), *model.buffers()]:
    dist.broadcast(tensor.data, src=0)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for step in range(12):
    optimizer.zero_grad()
    for micro_step in range(4):
        try:
            features, labels = next(iterator)
        except StopIteration:
            iterator = iter(loader)
            features, labels = next(iterator)
        loss = criterion(model(features), labels) / 4
        loss.backward()
    for parameter in [p for group in optimizer.param_groups for p in group["params"]]:
        if parameter.grad is not None:
            dist.all_reduce(parameter.grad)
            parameter.grad /= dist.get_world_size()
    optimizer.step()
dist.destroy_process_group()
