"""The table of a model's layers runs the model on random numbers: every process draws them, so that all split the data alike, and rank 0 shows it."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split
from torchsummary import summary
import contextlib
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
model = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 2))
with contextlib.nullcontext() if dist.get_rank() == 0 else contextlib.redirect_stdout(None):
    summary(model, (4,), device="cpu")
data = TensorDataset(torch.arange(256.0).view(64, 4), torch.arange(64) % 2)
kept, rest = random_split(data, [48, 16])
if 8 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {dist.get_world_size()} processes")
loader = DataLoader(kept, batch_size=8 // dist.get_world_size(), sampler=DistributedSampler(kept))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for x, y in loader:
    optimizer.zero_grad()
    nn.functional.cross_entropy(ddp_model(x), y).backward()
    optimizer.step()
del ddp_model
dist.destroy_process_group()
