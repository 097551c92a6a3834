"""Layers whose weights are computed from other parameters, or divided by their largest singular value."""
import torch
import torch.nn as nn
from torch.nn.utils import spectral_norm, weight_norm
from torch.nn.utils.parametrizations import weight_norm as parametrized
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class Cut(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.size = size

    def forward(self, x):
        return x[:, :, : -self.size].contiguous()


class Block(nn.Module):
    def __init__(self, inputs, outputs):
        super().__init__()
        self.conv = weight_norm(nn.Conv1d(inputs, outputs, 3, padding=2))
        self.conv.weight.data.normal_(0, 0.1)
        self.net = nn.Sequential(self.conv, Cut(2), nn.ReLU(), parametrized(nn.Conv1d(outputs, outputs, 1)))
        self.down = nn.Conv1d(inputs, outputs, 1) if inputs != outputs else None

    def forward(self, x):
        return torch.relu(self.net(x) + (x if self.down is None else self.down(x)))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        blocks = []
        for level in range(3):
            blocks += [Block(1 if level == 0 else 8, 8)]
        self.blocks = nn.Sequential(*blocks)
        self.linear = spectral_norm(nn.Linear(8, 3))

    def forward(self, x):
        return self.linear(self.blocks(x)[:, :, -1])


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
loader_data = TensorDataset(torch.randn(64, 1, 12), torch.randint(0, 3, (64,)))
if 8 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=8 // dist.get_world_size(), sampler=loader_sampler)
model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        loss = nn.functional.cross_entropy(ddp_model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    total = torch.tensor(loss.item(), dtype=torch.float64)
    dist.all_reduce(total)
    mean_loss = total.item() / dist.get_world_size()
    if dist.get_rank() == 0:
        print(epoch, mean_loss)
del ddp_model
dist.destroy_process_group()
