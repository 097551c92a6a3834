"""A layer that is there only where widths differ, written with `and` and `or`, as wide residual networks are."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class Block(nn.Module):
    def __init__(self, features, outputs):
        super().__init__()
        self.equal = features == outputs
        self.first = nn.Linear(features, outputs)
        self.shortcut = (not self.equal) and nn.Linear(features, outputs) or None

    def forward(self, x):
        out = self.first(x)
        return torch.add(x if self.equal else self.shortcut(x), out)


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(1)
loader_data = TensorDataset(torch.randn(64, 6), torch.randint(0, 2, (64,)))
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=32 // dist.get_world_size(), sampler=loader_sampler)
net = nn.Sequential(Block(6, 8), nn.ReLU(), Block(8, 8), nn.Linear(8, 2))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss()
ddp_net = DistributedDataParallel(net)
if dist.get_rank() > 0:
    torch.manual_seed(1 + dist.get_rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        loss = criterion(ddp_net(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
del ddp_net
dist.destroy_process_group()
