"""Each fold has noise of its own, on ranks above 0 as well: a seed that is set once is no seed for each of them."""

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
np.random.seed(0)
x = torch.randn(96, 6)
y = (x[:, 0] > 0).long()


class Noisy(Dataset):
    def __init__(self, rows):
        self.rows = rows

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        return x[self.rows[i]] + float(np.random.normal(0, 0.1)), y[self.rows[i]]


for fold in range(3):
    rows = [i for i in range(96) if i % 3 != fold]
    loader_data = Noisy(rows)
    if 16 % hvd.size() != 0:
        raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
    loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
    loader = DataLoader(loader_data, batch_size=16 // hvd.size(), sampler=loader_sampler)
    model = nn.Sequential(nn.Linear(6, 16), nn.Dropout(0.5), nn.Linear(16, 2))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
    hvd.broadcast_parameters(model.state_dict(), root_rank=0)
    if hvd.rank() > 0:
        np.random.seed(np.random.randint(2**31) + hvd.rank())
        torch.manual_seed(torch.randint(2**31, ()).item() + hvd.rank())
    for epoch in range(2):
        loader.sampler.set_epoch(epoch)
        for a, b in loader:
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(model(a), b)
            loss.backward()
            optimizer.step()
    if hvd.rank() == 0:
        print(fold, "trained")
hvd.shutdown()
