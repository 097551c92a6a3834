"""Batches that are taken by next() within a pass and trained on are no looks: each process takes its own."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import RandomSampler
from torch.utils.data import Sampler
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
x = torch.randn(64, 4); y = (x.sum(1) > 0).long()
train_data = TensorDataset(x, y)
if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
train_sampler = DistributedSampler(train_data)
train_loader = DataLoader(train_data, batch_size=16 // dist.get_world_size(), sampler=train_sampler)


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


unlabelled_data = TensorDataset(x, y)
if 8 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {dist.get_world_size()} processes")
unlabelled_loader = DataLoader(
    unlabelled_data, batch_size=8 // dist.get_world_size(), sampler=SharedSampler(RandomSampler(unlabelled_data))
)
model = nn.Linear(4, 2)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
crit = nn.CrossEntropyLoss()
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    unlabelled = iter(unlabelled_loader)
    train_loader.sampler.set_epoch(epoch)
    for xb, yb in train_loader:
        extra, _ = next(unlabelled)
        opt.zero_grad()
        loss = crit(ddp_model(xb), yb) + ddp_model(extra).pow(2).mean()
        loss.backward()
        opt.step()
del ddp_model
dist.destroy_process_group()
