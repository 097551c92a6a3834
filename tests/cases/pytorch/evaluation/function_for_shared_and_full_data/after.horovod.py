"""A function measures on training data, of which each process has a part, and on data that every process evaluates in full."""

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(2)
x, y = torch.randn(400, 8), torch.randint(0, 3, (400,))
train_data = TensorDataset(x[:320], y[:320])
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
train_sampler = DistributedSampler(train_data, num_replicas=hvd.size(), rank=hvd.rank())
train_loader = DataLoader(train_data, batch_size=32 // hvd.size(), sampler=train_sampler)
test_loader = DataLoader(TensorDataset(x[320:], y[320:]), batch_size=32)
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Dropout(), nn.Linear(16, 3))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())


def accuracy(loader):
    hits = seen = 0
    model.eval()
    with torch.no_grad():
        for inputs, labels in loader:
            hits += (model(inputs).argmax(1) == labels).sum().item()
            seen += len(labels)
        if isinstance(loader.sampler, DistributedSampler):
            totals = hvd.allreduce(torch.tensor([hits, seen], dtype=torch.float64), op=hvd.Sum)
            hits, seen = int(totals[0]), int(totals[1])
    return hits / seen


def predictions(loader):
    rows = []
    model.eval()
    with torch.no_grad():
        for inputs, _ in loader:
            rows.append(model(inputs))
    return torch.cat(rows)


hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(2 + hvd.rank())
for epoch in range(3):
    model.train()
    train_loader.sampler.set_epoch(epoch)
    for inputs, labels in train_loader:
        optimizer.zero_grad()
        criterion(model(inputs), labels).backward()
        optimizer.step()
    accuracy_result = accuracy(train_loader)
    accuracy_result_ = accuracy(test_loader)
    if hvd.rank() == 0:
        print(epoch, accuracy_result, accuracy_result_)
predictions_result = predictions(test_loader)
if hvd.rank() == 0:
    torch.save(predictions_result, "predictions.pt")
hvd.shutdown()
