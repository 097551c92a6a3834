"""A row of a table keeps its numbers of epochs and steps as they are: of what is written out only the loss is reduced."""

import csv

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
data = TensorDataset(torch.randn(64, 4), torch.randint(0, 2, (64,)))
if 8 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {dist.get_world_size()} processes")
loader = DataLoader(data, batch_size=8 // dist.get_world_size(), sampler=DistributedSampler(data))
model = nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
with open("loss.csv" if dist.get_rank() == 0 else os.devnull, "w", newline="") as file:
    rows = csv.writer(file)
    ddp_model = DistributedDataParallel(model)
    if dist.get_rank() > 0:
        torch.manual_seed(dist.get_rank())
    for epoch in range(2):
        loader.sampler.set_epoch(epoch)
        for step, (x, y) in enumerate(loader):
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(ddp_model(x), y)
            loss.backward()
            optimizer.step()
            total = torch.tensor(loss.item(), dtype=torch.float64)
            dist.all_reduce(total)
            mean_loss = total.item() / dist.get_world_size()
            rows.writerow([epoch, step, mean_loss])
del ddp_model
dist.destroy_process_group()
