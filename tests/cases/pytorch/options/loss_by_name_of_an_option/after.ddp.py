"""The loss has the name that an option says, and only that of the default can be converted: it is looked at by itself."""
import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

import losses
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
parser = argparse.ArgumentParser()
parser.add_argument("--loss", default="Squares")
parser.add_argument("--epochs", type=int, default=2)
args = parser.parse_args()

torch.manual_seed(3)
rows = TensorDataset(torch.randn(64, 5), torch.randn(64, 1))
if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
loader = DataLoader(rows, batch_size=16 // dist.get_world_size(), sampler=DistributedSampler(rows))
model = nn.Linear(5, 1)
criterion = getattr(losses, args.loss)()
if str(type(criterion)) != "<class 'losses.Squares'>":
    raise SystemExit("this program is for losses.Squares only: convert the script again")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(3 + dist.get_rank())
for epoch in range(args.epochs):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        loss = criterion(ddp_model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
