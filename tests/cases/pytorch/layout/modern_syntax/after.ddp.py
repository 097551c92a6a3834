"""match, walrus, parenthesised with and positional-only parameters around the training."""
import sys

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
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
match sys.argv[1:]:
    case ["small"]:
        width = 4
    case _:
        width = 16


def step(model, optimizer, x, y, /, *, clip=None):
    optimizer.zero_grad()
    (loss := nn.functional.mse_loss(model(x), y)).backward()
    optimizer.step()
    return loss


loader_data = TensorDataset(torch.randn(320, 10), torch.randn(320, 1))
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=32 // dist.get_world_size(), sampler=loader_sampler)
model = nn.Sequential(nn.Linear(10, width), nn.ReLU(), nn.Linear(width, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(seed + dist.get_rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        step(ddp_model, optimizer, x, y)
with (
    torch.no_grad(),
    open("prediction.txt" if dist.get_rank() == 0 else os.devnull, "w") as f,
):
    f.write(str(model(torch.zeros(1, 10)).item()))
del ddp_model
dist.destroy_process_group()
