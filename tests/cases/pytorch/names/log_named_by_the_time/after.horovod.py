"""Files that only rank 0 writes keep the names that each process makes up: nobody reads them."""

import logging
import time

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
stamp = time.strftime("%Y%m%d-%H%M%S")
if hvd.rank() == 0:
    logging.basicConfig(filename=f"train-{stamp}.log", level=logging.INFO)
torch.manual_seed(0)
x = torch.randn(320, 6)
loader_data = TensorDataset(x, (x[:, 0] > 0).long())
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=32 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(6, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
started = time.time()
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
    if hvd.rank() == 0:
        logging.info("epoch %d after %.1f s", epoch, time.time() - started)
if hvd.rank() == 0:
    torch.save(model.state_dict(), f"model-{stamp}.pt")
hvd.shutdown()
