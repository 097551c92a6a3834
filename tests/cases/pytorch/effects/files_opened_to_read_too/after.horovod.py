"""Files are opened so that they could be read, too, and are only written."""

import csv
import json

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
import os
from torch.utils.data.distributed import DistributedSampler


class Log:
    def __init__(self, path):
        self.log = open(path if hvd.rank() == 0 else os.devnull, "a+")

    def add(self, text):
        self.log.write(text + "\n")
        self.log.flush()


hvd.init()
torch.manual_seed(0)
x = torch.randn(320, 64)
loader_data = TensorDataset(x, (x[:, 0] > 0).long())
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=32 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(64, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
log = Log("log.txt")
table = open("table.csv" if hvd.rank() == 0 else os.devnull, "w+", newline="")
writer = csv.writer(table)
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for inputs, labels in loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(inputs), labels)
        loss.backward()
        optimizer.step()
    log.add(f"epoch {epoch}")
    writer.writerow([epoch])
    with open("epochs.txt" if hvd.rank() == 0 else os.devnull, mode="a+") as file:
        if hvd.rank() == 0:
            print(epoch, file=file)
    with open("last.json" if hvd.rank() == 0 else os.devnull, "w+") as file:
        json.dump({"epoch": epoch}, file)
table.close()
hvd.shutdown()
