"""All bars are switched off at once where they are made: an argument of their own would bring them back."""

from functools import partialmethod

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from tqdm import tqdm
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
tqdm.__init__ = partialmethod(tqdm.__init__, disable=True)
torch.manual_seed(0)
data = TensorDataset(torch.randn(64, 8), torch.randint(0, 3, (64,)))
model = nn.Linear(8, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(data, batch_size=16 // hvd.size(), sampler=loader_sampler)
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in tqdm(range(3)):
    loader.sampler.set_epoch(epoch)
    for x, y in tqdm(loader):
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
if hvd.rank() == 0:
    torch.save(model.state_dict(), "model.pt")
hvd.shutdown()
