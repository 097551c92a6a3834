"""Two training loops one after the other over the same loader: both get set_epoch."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
torch.manual_seed(seed)
data = TensorDataset(torch.randn(600, 10), torch.randint(0, 4, (600,)))
if 30 % hvd.size() != 0:
    raise SystemExit(f"batch size 30 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(data, batch_size=30 // hvd.size(), sampler=loader_sampler)
model = nn.Sequential(nn.Linear(10, 20), nn.ReLU(), nn.Linear(20, 4))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer)

if hvd.rank() == 0:
    print("warming up")
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(seed + hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(loader.sampler.epoch + 1)
    for x, y in loader:
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        optimizer.step()

if hvd.rank() == 0:
    print("training")
for group in optimizer.param_groups:
    group["lr"] = 0.01
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
for epoch in range(8):
    loader.sampler.set_epoch(loader.sampler.epoch + 1)
    for x, y in loader:
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        optimizer.step()
hvd.shutdown()
