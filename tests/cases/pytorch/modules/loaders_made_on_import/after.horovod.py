"""Loaders that a module makes on import are shared out there, behind the start."""
import torch
from torch import nn
import horovod.torch as hvd

hvd.init()
from pipeline import train_loader, test_loader

torch.manual_seed(0)
model = nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    train_loader.sampler.set_epoch(epoch)
    for x, y in train_loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
correct, seen = 0, 0
with torch.no_grad():
    for x, y in test_loader:
        correct += (model(x).argmax(1) == y).sum().item()
        seen += len(y)
    totals = hvd.allreduce(torch.tensor([correct, seen], dtype=torch.float64), op=hvd.Sum)
    correct, seen = int(totals[0]), int(totals[1])
if hvd.rank() == 0:
    print(correct / seen)
hvd.shutdown()
