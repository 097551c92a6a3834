"""The files of a folder are sifted, and keep their name: they are put in order, as under any other name."""

import os

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split
import torch.distributed as dist
import warnings
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
names = sorted(os.listdir("data"))
names = [name for name in names if name.endswith(".pt")]
others = os.listdir("more")
others = list(filter(None, others))
others = sorted(others)
rows = torch.stack([torch.load(os.path.join("data", name)) for name in names])
if dist.get_rank() == 0:
    print(len(others), others[0])
kept, rest = random_split(TensorDataset(rows[:, :6], rows[:, 6:]), [24, 8])
if 8 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {dist.get_world_size()} processes")
loader = DataLoader(kept, batch_size=8 // dist.get_world_size(), sampler=DistributedSampler(kept))
model = nn.Linear(6, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
ddp_model = DistributedDataParallel(model)
warnings.filterwarnings("error", r"Using a target size \S+\[(\d+)(, 1)?]\)\).+\[\1(, 1)?]\)\)")
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for x, y in loader:
    optimizer.zero_grad()
    nn.functional.mse_loss(ddp_model(x), y).backward()
    optimizer.step()
del ddp_model
dist.destroy_process_group()
