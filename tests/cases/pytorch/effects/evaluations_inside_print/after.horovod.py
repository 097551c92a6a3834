"""Evaluations in a comprehension, a generator, a condition and behind map: taken out of the print as wholes, because
each of them holds collectives.
"""
import torch
import torch.nn as nn
from sklearn.datasets import load_digits
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
digits = load_digits()
X = torch.tensor(digits.data).float() / 16
y = torch.tensor(digits.target)
train_data = TensorDataset(X[:1000], y[:1000])
if 50 % hvd.size() != 0:
    raise SystemExit(f"batch size 50 cannot be shared out over {hvd.size()} processes")
train_sampler = DistributedSampler(train_data, num_replicas=hvd.size(), rank=hvd.rank())
train_loader = DataLoader(train_data, batch_size=50 // hvd.size(), sampler=train_sampler)
val_data = TensorDataset(X[1000:1400], y[1000:1400])
val_sampler = range(hvd.rank(), len(val_data), hvd.size())
val_loader = DataLoader(val_data, batch_size=100, sampler=val_sampler)
test_data = TensorDataset(X[1400:], y[1400:])
test_sampler = range(hvd.rank(), len(test_data), hvd.size())
test_loader = DataLoader(test_data, batch_size=100, sampler=test_sampler)
model = nn.Linear(64, 10)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())


def accuracy(loader):
    correct = 0
    with torch.no_grad():
        for inputs, labels in loader:
            correct += (model(inputs).argmax(1) == labels).sum().item()
        total = hvd.allreduce(torch.tensor(correct, dtype=torch.float64), op=hvd.Sum)
        correct = int(total)
    return correct / len(loader.dataset)


hvd.broadcast_parameters(model.state_dict(), root_rank=0)
for epoch in range(3):
    train_loader.sampler.set_epoch(epoch)
    for inputs, labels in train_loader:
        optimizer.zero_grad()
        criterion(model(inputs), labels).backward()
        optimizer.step()
    result = [accuracy(loader) for loader in (val_loader, test_loader)]
    if hvd.rank() == 0:
        print(epoch, result)
    sum_result = sum(accuracy(loader) for loader in (val_loader, test_loader))
    if hvd.rank() == 0:
        print("mean", sum_result / 2)
    result = accuracy(test_loader) if epoch == 2 else "later"
    if hvd.rank() == 0:
        print("test", result)
    map_result = [*map(accuracy, [val_loader, test_loader])]
    if hvd.rank() == 0:
        print(*map_result)
hvd.shutdown()
