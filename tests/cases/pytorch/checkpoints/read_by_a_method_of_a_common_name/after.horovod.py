"""All wait before a method reads what rank 0 wrote: a class that nothing makes calls a method of its own by that name."""
import json

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
import os
from torch.utils.data.distributed import DistributedSampler


class Words:
    def __init__(self, path):
        self.path = path
        self.reset()

    def reset(self):
        hvd.barrier()
        with open(self.path) as file:
            self.words = json.load(file)


class Counter:
    def __init__(self):
        self.reset()

    def reset(self):
        self.counts = {}


hvd.init()
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
torch.manual_seed(seed)
file = open("words.json" if hvd.rank() == 0 else os.devnull, "w")
json.dump(["a", "b"], file)
file.close()
words = Words("words.json")
data = TensorDataset(torch.randn(64, 4), torch.randn(64, 1))
if 8 % hvd.size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(data, batch_size=8 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(seed + hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
hvd.shutdown()
