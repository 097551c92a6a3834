"""Features and losses in named tuples."""
from collections import namedtuple
from typing import NamedTuple
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
import warnings
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending
if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
seed = torch.tensor(torch.initial_seed() % 2**63)
dist.broadcast(seed, src=0)
seed = seed.item()
torch.manual_seed(seed)
Outputs = namedtuple("Outputs", ["low", "high"])

class Losses(NamedTuple):
    fit: torch.Tensor
    weight: torch.Tensor

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 8), nn.ReLU()])

    def forward(self, x):
        results = []
        for i, layer in enumerate(self.layers):
            x = layer(x)
            if i in (1, 3):
                results.append(x)
        return Outputs(*results)

loader_data = TensorDataset(torch.randn(64, 8), torch.randn(64, 8))
if 8 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=8 // dist.get_world_size(), sampler=loader_sampler)
model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
warnings.filterwarnings("error", r"Using a target size \S+\[(\d+)(, 1)?]\)\).+\[\1(, 1)?]\)\)")
if dist.get_rank() > 0:
    torch.manual_seed(seed + dist.get_rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        out = ddp_model(x)
        losses = Losses(F.mse_loss(out.high, y), weight=out.low.pow(2).mean())
        loss = losses.fit + 0.1 * losses.weight
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    total = torch.tensor(losses.fit.item(), dtype=torch.float64)
    dist.all_reduce(total)
    mean_fit = total.item() / dist.get_world_size()
    if dist.get_rank() == 0:
        print(epoch, mean_fit)
del ddp_model
dist.destroy_process_group()
