"""A project module sums up an evaluation: the sums are reduced there."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

from measure import average_loss
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
train_data = TensorDataset(torch.randn(320, 10), torch.randint(0, 2, (320,)))
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
train_sampler = DistributedSampler(train_data, num_replicas=hvd.size(), rank=hvd.rank())
train_loader = DataLoader(train_data, batch_size=32 // hvd.size(), sampler=train_sampler)
test_data = TensorDataset(torch.randn(65, 10), torch.randint(0, 2, (65,)))
test_sampler = range(hvd.rank(), len(test_data), hvd.size())
test_loader = DataLoader(test_data, batch_size=32, sampler=test_sampler)
model = nn.Linear(10, 2)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
best = float("inf")
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    model.train()
    train_loader.sampler.set_epoch(epoch)
    for x, y in train_loader:
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        optimizer.step()
    loss = average_loss(model, criterion, test_loader)
    if loss < best:
        best = loss
        if hvd.rank() == 0:
            torch.save(model.state_dict(), "best.pt")
    if hvd.rank() == 0:
        print("epoch", epoch, "loss", loss)
hvd.shutdown()
