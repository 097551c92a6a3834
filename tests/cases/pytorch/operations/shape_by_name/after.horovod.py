"""Targets are made with a shape that is given by name, before or behind the value that fills them."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
torch.manual_seed(seed)
loader_data = TensorDataset(torch.randn(64, 4))
if 8 % hvd.size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=8 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
criterion = nn.BCELoss()
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(seed + hvd.rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for (x,) in loader:
        noise = torch.randn(size=(len(x), 4))
        real = torch.full(size=(len(x),), fill_value=0.9)
        fake = torch.zeros(size=(x.size(0),))
        optimizer.zero_grad()
        loss = criterion(torch.sigmoid(model(x)).view(-1), real)
        loss = loss + criterion(torch.sigmoid(model(noise)).view(-1), fake)
        loss.backward()
        optimizer.step()
hvd.shutdown()
