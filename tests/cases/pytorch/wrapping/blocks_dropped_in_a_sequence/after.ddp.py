"""Blocks in a sequence that leave their layers out by chance: no class of the script's own holds them."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class Block(nn.Module):
    def __init__(self, kept, width):
        super().__init__()
        self.kept = kept
        self.inner = nn.Sequential(nn.Linear(width, width), nn.ReLU())
        self.around = nn.Linear(width, width)

    def is_kept(self):
        drawn = torch.bernoulli(torch.tensor(self.kept))
        return torch.equal(drawn, torch.tensor(1.0))

    def forward(self, x):
        if self.training:
            if self.is_kept():
                x = self.inner(x) + self.around(x)
            else:
                x = self.around(x)
        else:
            x = self.inner(x) * self.kept + self.around(x)
        return x


class Other(nn.Module):
    """Has a layer of the same name, which it always uses."""

    def __init__(self, width):
        super().__init__()
        self.inner = nn.Linear(width, width)

    def forward(self, x):
        return self.inner(x)


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
data = TensorDataset(torch.randn(64, 8), torch.randint(0, 3, (64,)))
if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
loader = DataLoader(data, batch_size=16 // dist.get_world_size(), sampler=DistributedSampler(data))
blocks = []
for kept in (0.9, 0.5):
    blocks.append(Block(kept, 8))
model = nn.Sequential(*blocks, Other(8), nn.Linear(8, 3))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model, find_unused_parameters=True)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(ddp_model(x), y)
        loss.backward()
        optimizer.step()
    if dist.get_rank() == 0:
        print(epoch)
del ddp_model
dist.destroy_process_group()
