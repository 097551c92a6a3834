"""Files are opened so that they could be read, too, and are only written."""

import csv
import json

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class Log:
    def __init__(self, path):
        self.log = open(path if dist.get_rank() == 0 else os.devnull, "a+")

    def add(self, text):
        self.log.write(text + "\n")
        self.log.flush()


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
x = torch.randn(320, 64)
loader_data = TensorDataset(x, (x[:, 0] > 0).long())
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=32 // dist.get_world_size(), sampler=loader_sampler)
model = nn.Linear(64, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
log = Log("log.txt")
table = open("table.csv" if dist.get_rank() == 0 else os.devnull, "w+", newline="")
writer = csv.writer(table)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for inputs, labels in loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(ddp_model(inputs), labels)
        loss.backward()
        optimizer.step()
    log.add(f"epoch {epoch}")
    writer.writerow([epoch])
    with open("epochs.txt" if dist.get_rank() == 0 else os.devnull, mode="a+") as file:
        if dist.get_rank() == 0:
            print(epoch, file=file)
    with open("last.json" if dist.get_rank() == 0 else os.devnull, "w+") as file:
        json.dump({"epoch": epoch}, file)
table.close()
del ddp_model
dist.destroy_process_group()
