"""Two trainings, in each of which each process measures for itself when to stop: one function is written, in front."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset
from torch import optim
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler
hvd.init()
batch_size = 12
epochs = 2
lr = 0.1
test_batch_size = 12
torch.manual_seed(0)
x = torch.randn(48 + 24, 6)
y = x[:, :2].sum(1)
w = torch.rand(48 + 24) + 0.5
train_set = TensorDataset(x[:48], y[:48], w[:48])
test_set = TensorDataset(x[48:], y[48:], w[48:])
if batch_size % hvd.size() != 0:
    raise SystemExit(f"batch size {batch_size} cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(train_set, num_replicas=hvd.size(), rank=hvd.rank(), shuffle=False)
loader = DataLoader(train_set, batch_size=batch_size // hvd.size(), sampler=loader_sampler)
test_loader = DataLoader(test_set, batch_size=test_batch_size)
model = nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Linear(8, 1))
criterion = nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=lr)
optimizer = hvd.DistributedOptimizer(optimizer)
best, bad = float("inf"), 0
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(epochs):
    model.train()
    loader.sampler.set_epoch(loader.sampler.epoch + 1)
    for x, y, w in loader:
        optimizer.zero_grad()
        out = model(x).squeeze(-1)
        loss = criterion(out, y)
        loss.backward()
        optimizer.step()
    model.eval()
    outputs, targets = [], []
    with torch.no_grad():
        for x, y, w in test_loader:
            out = model(x).squeeze(-1)
            outputs.append(out)
            targets.append(y)
    test_loss = criterion(torch.cat(outputs), torch.cat(targets)).item()
    if hvd.rank() == 0:
        print(f"epoch {epoch} test loss {test_loss:.4f}")
    if hvd.broadcast_object(test_loss < best):
        best, bad = test_loss, 0
    else:
        bad += 1
        for group in optimizer.param_groups:
            group["lr"] *= 0.5
    if hvd.broadcast_object(bad >= 2):
        break
model = nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Linear(8, 1))
criterion = nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=lr)
optimizer = hvd.DistributedOptimizer(optimizer)
best, bad = float("inf"), 0
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
for epoch in range(epochs):
    model.train()
    loader.sampler.set_epoch(loader.sampler.epoch + 1)
    for x, y, w in loader:
        optimizer.zero_grad()
        out = model(x).squeeze(-1)
        loss = criterion(out, y)
        loss.backward()
        optimizer.step()
    model.eval()
    outputs, targets = [], []
    with torch.no_grad():
        for x, y, w in test_loader:
            out = model(x).squeeze(-1)
            outputs.append(out)
            targets.append(y)
    test_loss = criterion(torch.cat(outputs), torch.cat(targets)).item()
    if hvd.rank() == 0:
        print(f"epoch {epoch} test loss {test_loss:.4f}")
    if hvd.broadcast_object(test_loss < best):
        best, bad = test_loss, 0
    else:
        bad += 1
        for group in optimizer.param_groups:
            group["lr"] *= 0.5
    if hvd.broadcast_object(bad >= 2):
        break
hvd.shutdown()
