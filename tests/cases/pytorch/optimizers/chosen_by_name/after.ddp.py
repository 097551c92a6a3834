"""The class of the optimizer is an argument: whatever it is, it steps by the gradients that it finds."""
import argparse
import torch
from torch import nn, optim
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
parser = argparse.ArgumentParser()
parser.add_argument("--optim", default="Adam")
args = parser.parse_args()
torch.manual_seed(0)
loader_data = TensorDataset(torch.randn(160, 4), torch.randn(160, 1))
if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data, drop_last=True)
loader = DataLoader(loader_data, batch_size=16 // dist.get_world_size(), sampler=loader_sampler, drop_last=True)
model = nn.Linear(4, 1)
optimizer = getattr(optim, args.optim)(model.parameters(), lr=0.01)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        loss = nn.functional.mse_loss(ddp_model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if dist.get_rank() == 0:
        print(epoch)
del ddp_model
dist.destroy_process_group()
