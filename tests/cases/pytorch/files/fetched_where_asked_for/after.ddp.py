"""An option decides whether files are fetched, which is equal on all processes: they meet behind it only."""

import argparse
import os
import urllib.request

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
parser = argparse.ArgumentParser()
parser.add_argument("--fetch", action="store_true")
args = parser.parse_args()
if args.fetch:
    os.makedirs("numbers", exist_ok=True)
    for name in ("inputs", "labels"):
        if dist.get_rank() == 0:
            urllib.request.urlretrieve(f"https://example.org/{name}.pt", f"numbers/{name}.pt")
        dist.barrier()
torch.manual_seed(0)
data = TensorDataset(torch.load("numbers/inputs.pt"), torch.load("numbers/labels.pt"))
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
loader = DataLoader(data, batch_size=32 // dist.get_world_size(), sampler=DistributedSampler(data))
model = nn.Linear(6, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for inputs, labels in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(ddp_model(inputs), labels).backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
