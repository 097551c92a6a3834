"""Two trainings, in each of which each process measures for itself when to stop: one function is written, in front."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset
from torch import optim
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending
if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
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
if batch_size % dist.get_world_size() != 0:
    raise SystemExit(f"batch size {batch_size} cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(train_set, shuffle=False)
loader = DataLoader(train_set, batch_size=batch_size // dist.get_world_size(), sampler=loader_sampler)
test_loader = DataLoader(test_set, batch_size=test_batch_size)
model = nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Linear(8, 1))
criterion = nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=lr)
best, bad = float("inf"), 0


def from_rank_0(value):
    values = [value]
    dist.broadcast_object_list(values)
    return values[0]


ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(epochs):
    model.train()
    loader.sampler.set_epoch(loader.sampler.epoch + 1)
    for x, y, w in loader:
        optimizer.zero_grad()
        out = ddp_model(x).squeeze(-1)
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
    if dist.get_rank() == 0:
        print(f"epoch {epoch} test loss {test_loss:.4f}")
    if from_rank_0(test_loss < best):
        best, bad = test_loss, 0
    else:
        bad += 1
        for group in optimizer.param_groups:
            group["lr"] *= 0.5
    if from_rank_0(bad >= 2):
        break
del ddp_model
model = nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Linear(8, 1))
criterion = nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=lr)
best, bad = float("inf"), 0
ddp_model = DistributedDataParallel(model)
for epoch in range(epochs):
    model.train()
    loader.sampler.set_epoch(loader.sampler.epoch + 1)
    for x, y, w in loader:
        optimizer.zero_grad()
        out = ddp_model(x).squeeze(-1)
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
    if dist.get_rank() == 0:
        print(f"epoch {epoch} test loss {test_loss:.4f}")
    if from_rank_0(test_loss < best):
        best, bad = test_loss, 0
    else:
        bad += 1
        for group in optimizer.param_groups:
            group["lr"] *= 0.5
    if from_rank_0(bad >= 2):
        break
del ddp_model
dist.destroy_process_group()
