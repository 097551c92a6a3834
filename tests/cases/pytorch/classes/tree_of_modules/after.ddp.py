"""A module that holds modules of its own class, down to a depth."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class Block(nn.Module):
    def __init__(self, inside, outside):
        super().__init__()
        self.linear = nn.Linear(inside, outside)

    def forward(self, x):
        return F.relu(self.linear(x))


class Tree(nn.Module):
    def __init__(self, block, inside, outside, level=1):
        super().__init__()
        self.root = nn.Linear(2 * outside, outside)
        if level == 1:
            self.left = block(inside, outside)
            self.right = block(outside, outside)
        else:
            self.left = Tree(block, inside, outside, level=level - 1)
            self.right = Tree(block, outside, outside, level=level - 1)

    def forward(self, x):
        left = self.left(x)
        right = self.right(left)
        return self.root(torch.cat([left, right], 1))


class Net(nn.Module):
    def __init__(self, block=Block):
        super().__init__()
        self.tree = Tree(block, 10, 16, level=3)
        self.head = nn.Linear(16, 3)

    def forward(self, x):
        out = self.tree(x)
        return self.head(out.view(out.size(0), -1))


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
loader_data = TensorDataset(torch.randn(640, 10), torch.randint(3, (640,)))
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=32 // dist.get_world_size(), sampler=loader_sampler)
model = Net()
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(ddp_model(x), y)
        loss.backward()
        optimizer.step()
    total = torch.tensor(loss.item(), dtype=torch.float64)
    dist.all_reduce(total)
    mean_loss = total.item() / dist.get_world_size()
    if dist.get_rank() == 0:
        print(epoch, mean_loss)
del ddp_model
dist.destroy_process_group()
