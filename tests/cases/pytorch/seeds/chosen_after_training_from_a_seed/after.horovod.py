"""Samples are chosen after training, right after a seed is set: all processes choose the same."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
import random
from torch.utils.data.distributed import DistributedSampler

hvd.init()
seed_ = hvd.broadcast_object(torch.initial_seed() % 2**63)
random.seed(seed_ % 2**32)
torch.manual_seed(0)
x = torch.randn(64, 4)
y = (x.sum(1) > 0).long()
loader_data = TensorDataset(x, y)
if 4 % hvd.size() != 0:
    raise SystemExit(f"batch size 4 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=4 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
criterion = nn.CrossEntropyLoss()
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
    random.seed((torch.initial_seed() + hvd.rank()) % 2**32)
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for xb, yb in loader:
        optimizer.zero_grad()
        loss = criterion(model(xb), yb)
        loss.backward()
        optimizer.step()
import random

random.seed(42)
kept = []
for features, label in random.sample(list(zip(x, y)), k=9):
    kept.append(features)
if hvd.rank() == 0:
    print(kept)
torch.manual_seed(1)
rows = range(len(x))
randperm_result = torch.randperm(len(rows))
if hvd.rank() == 0:
    print(randperm_result)
hvd.shutdown()
