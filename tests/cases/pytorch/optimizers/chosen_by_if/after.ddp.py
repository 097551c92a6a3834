"""The class of the optimizer is chosen at run time by if/elif: each of the calls is the one optimizer."""
import argparse
import torch
import torch.nn as nn
import torch.optim as optim
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
parser.add_argument("--optimizer", choices=["sgd", "adam"], default="sgd")
parser.add_argument("--lr", type=float, default=0.01)
args = parser.parse_args()

torch.manual_seed(0)
loader_data = TensorDataset(torch.randn(200, 2), torch.randn(200, 1))
if 20 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 20 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=20 // dist.get_world_size(), sampler=loader_sampler)
model = nn.Linear(2, 1)
if args.optimizer == "sgd":
    optimizer = optim.SGD(model.parameters(), lr=args.lr, momentum=0.9)
elif args.optimizer == "adam":
    optimizer = optim.Adam(model.parameters(), lr=args.lr)
else:
    raise ValueError(args.optimizer)

ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(5):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(ddp_model(x), y).backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
