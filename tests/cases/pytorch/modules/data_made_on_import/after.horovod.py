"""Data that is split while its module is imported is split alike on all processes: they share a seed before."""
import torch
from torch import nn
from torch.utils.data import DataLoader
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
torch.manual_seed(seed)
from data import train_set, test_set

if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(train_set, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(train_set, batch_size=32 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(1, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=1e-5)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(seed + hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
if hvd.rank() == 0:
    print(len(test_set))
hvd.shutdown()
