"""Whether to shuffle is known only at run time: the sampler gets the same expression."""
import argparse

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
from sklearn.datasets import load_digits
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
parser = argparse.ArgumentParser()
parser.add_argument("--batch-size", type=int, default=32)
parser.add_argument("--epochs", type=int, default=3)
parser.add_argument("--lr", type=float, default=0.05)
parser.add_argument("--no-shuffle", action="store_true")
args = parser.parse_args()

digits = load_digits()
data = TensorDataset(torch.tensor(digits.data, dtype=torch.float32), torch.tensor(digits.target))
shuffle = not args.no_shuffle
if args.batch_size % dist.get_world_size() != 0:
    raise SystemExit(f"batch size {args.batch_size} cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(data, shuffle=shuffle)
loader = DataLoader(data, batch_size=args.batch_size // dist.get_world_size(), sampler=loader_sampler)

model = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 10))
optimizer = torch.optim.SGD(model.parameters(), lr=args.lr)
criterion = nn.CrossEntropyLoss()
ddp_model = DistributedDataParallel(model)
for ep in range(args.epochs):
    loader.sampler.set_epoch(ep)
    for inputs, targets in loader:
        optimizer.zero_grad()
        criterion(ddp_model(inputs), targets).backward()
        optimizer.step()
    if dist.get_rank() == 0:
        print("finished epoch", ep)
del ddp_model
dist.destroy_process_group()
