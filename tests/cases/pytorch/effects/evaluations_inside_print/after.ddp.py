"""Evaluations in a comprehension, a generator, a condition and behind map: taken out of the print as wholes, because
each of them holds collectives.
"""
import torch
import torch.nn as nn
from sklearn.datasets import load_digits
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
digits = load_digits()
X = torch.tensor(digits.data).float() / 16
y = torch.tensor(digits.target)
train_data = TensorDataset(X[:1000], y[:1000])
if 50 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 50 cannot be shared out over {dist.get_world_size()} processes")
train_sampler = DistributedSampler(train_data)
train_loader = DataLoader(train_data, batch_size=50 // dist.get_world_size(), sampler=train_sampler)
val_data = TensorDataset(X[1000:1400], y[1000:1400])
val_sampler = range(dist.get_rank(), len(val_data), dist.get_world_size())
val_loader = DataLoader(val_data, batch_size=100, sampler=val_sampler)
test_data = TensorDataset(X[1400:], y[1400:])
test_sampler = range(dist.get_rank(), len(test_data), dist.get_world_size())
test_loader = DataLoader(test_data, batch_size=100, sampler=test_sampler)
model = nn.Linear(64, 10)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def accuracy(loader):
    correct = 0
    with torch.no_grad():
        for inputs, labels in loader:
            correct += (model(inputs).argmax(1) == labels).sum().item()
        total = torch.tensor(correct, dtype=torch.float64)
        dist.all_reduce(total)
        correct = int(total)
    return correct / len(loader.dataset)


ddp_model = DistributedDataParallel(model)
for epoch in range(3):
    train_loader.sampler.set_epoch(epoch)
    for inputs, labels in train_loader:
        optimizer.zero_grad()
        criterion(ddp_model(inputs), labels).backward()
        optimizer.step()
    result = [accuracy(loader) for loader in (val_loader, test_loader)]
    if dist.get_rank() == 0:
        print(epoch, result)
    sum_result = sum(accuracy(loader) for loader in (val_loader, test_loader))
    if dist.get_rank() == 0:
        print("mean", sum_result / 2)
    result = accuracy(test_loader) if epoch == 2 else "later"
    if dist.get_rank() == 0:
        print("test", result)
    map_result = [*map(accuracy, [val_loader, test_loader])]
    if dist.get_rank() == 0:
        print(*map_result)
del ddp_model
dist.destroy_process_group()
