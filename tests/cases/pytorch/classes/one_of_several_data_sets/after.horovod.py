"""A data set of one of several classes, which all scale back what the model gives: each is asked."""
import argparse

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


class Scaler:
    def fit(self, rows):
        self.mean = rows.mean(0)
        self.width = rows.std(0)

    def scaled_back(self, outputs):
        mean = torch.from_numpy(self.mean).type_as(outputs) if torch.is_tensor(outputs) else self.mean
        width = torch.from_numpy(self.width).type_as(outputs) if torch.is_tensor(outputs) else self.width
        return outputs * width + mean


class Hours(Dataset):
    def __init__(self):
        self.rows = np.random.RandomState(1).randn(80, 4)
        self.scaler = Scaler()
        self.scaler.fit(self.rows)

    def __len__(self):
        return 64

    def __getitem__(self, index):
        return self.rows[index], self.rows[index + 1]

    def scaled_back(self, outputs):
        return self.scaler.scaled_back(outputs)


class Days(Dataset):
    def __init__(self):
        self.rows = np.random.RandomState(2).randn(400, 4)

    def __len__(self):
        return 64

    def __getitem__(self, index):
        return self.rows[index], self.rows[index + 5]

    def scaled_back(self, outputs):
        return outputs * 2


hvd.init()
parser = argparse.ArgumentParser()
parser.add_argument("--data", default="hours")
options = parser.parse_args()

torch.manual_seed(3)
rows = {"hours": Hours, "days": Days}[options.data]()
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(rows, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(rows, batch_size=16 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(4, 4)
criterion = nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(3 + hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        outputs = rows.scaled_back(model(x.float()))
        loss = criterion(outputs, y.float())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
hvd.shutdown()
