"""A function trains where it is given an optimizer, and else evaluates."""

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
test_data = TensorDataset(x[320:], y[320:])
test_sampler = range(hvd.rank(), len(test_data), hvd.size())
test_loader = DataLoader(test_data, batch_size=32, sampler=test_sampler)
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Dropout(), nn.Linear(16, 3))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())


def run(loader, optimizer=None):
    train = optimizer is not None
    model.train(train)
    total, correct, count = 0.0, 0, 0
    with torch.set_grad_enabled(train):
        for inputs, labels in loader:
            outputs = model(inputs)
            loss = criterion(outputs, labels)
            if optimizer is not None:
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
            total += loss.item() * len(labels)
            correct += (outputs.argmax(1) == labels).sum().item()
            count += len(labels)
        totals = hvd.allreduce(torch.tensor([total, correct, count], dtype=torch.float64), op=hvd.Sum)
        total, correct, count = totals[0].item(), int(totals[1]), int(totals[2])
    return total / count, correct / count


hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(2 + hvd.rank())
for epoch in range(3):
    train_loader.sampler.set_epoch(epoch)
    train_loss, train_acc = run(train_loader, optimizer)
    test_loss, test_acc = run(test_loader)
    if hvd.rank() == 0:
        print(f"{epoch} {train_loss:.4f} {train_acc:.4f} {test_loss:.4f} {test_acc:.4f}")
hvd.shutdown()
