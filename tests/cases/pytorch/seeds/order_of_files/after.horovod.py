"""A data set's files are sorted where samples are known by their places; a set of names that is sorted stays."""

import os

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


class Recordings(Dataset):
    def __init__(self, folder):
        self.folder = folder
        self.names = [name for name in sorted(os.listdir(folder)) if name.endswith(".pt")]
        self.speakers = sorted({name.split("_")[0] for name in os.listdir(folder)})

    def __len__(self):
        return len(self.names)

    def __getitem__(self, index):
        name = self.names[index]
        return torch.load(os.path.join(self.folder, name)), self.speakers.index(name.split("_")[0])


hvd.init()
torch.manual_seed(0)
loader_data = Recordings("data")
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=32 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(16, 4)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
hvd.shutdown()
