"""A function measures on training data, of which each process has a part, and on data that every process evaluates in full."""

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(2)
x, y = torch.randn(400, 8), torch.randint(0, 3, (400,))
train_data = TensorDataset(x[:320], y[:320])
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
train_sampler = DistributedSampler(train_data)
train_loader = DataLoader(train_data, batch_size=32 // dist.get_world_size(), sampler=train_sampler)
test_loader = DataLoader(TensorDataset(x[320:], y[320:]), batch_size=32)
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Dropout(), nn.Linear(16, 3))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def accuracy(loader):
    hits = seen = 0
    model.eval()
    with torch.no_grad():
        for inputs, labels in loader:
            hits += (model(inputs).argmax(1) == labels).sum().item()
            seen += len(labels)
        if isinstance(loader.sampler, DistributedSampler):
            totals = torch.tensor([hits, seen], dtype=torch.float64)
            dist.all_reduce(totals)
            hits, seen = int(totals[0]), int(totals[1])
    return hits / seen


def predictions(loader):
    rows = []
    model.eval()
    with torch.no_grad():
        for inputs, _ in loader:
            rows.append(model(inputs))
    return torch.cat(rows)


ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(2 + dist.get_rank())
for epoch in range(3):
    model.train()
    train_loader.sampler.set_epoch(epoch)
    for inputs, labels in train_loader:
        optimizer.zero_grad()
        criterion(ddp_model(inputs), labels).backward()
        optimizer.step()
    accuracy_result = accuracy(train_loader)
    accuracy_result_ = accuracy(test_loader)
    if dist.get_rank() == 0:
        print(epoch, accuracy_result, accuracy_result_)
predictions_result = predictions(test_loader)
if dist.get_rank() == 0:
    torch.save(predictions_result, "predictions.pt")
del ddp_model
dist.destroy_process_group()
