"""Summed losses and hits over len(dataset): the loader is sharded by sample without padding, both sums reduced, the divisor stays."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset
from sklearn.datasets import load_digits
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
digits = load_digits()
X = torch.tensor(digits.images).float().unsqueeze(1) / 16
y = torch.tensor(digits.target)
train_data = TensorDataset(X[:1500], y[:1500])
if 50 % hvd.size() != 0:
    raise SystemExit(f"batch size 50 cannot be shared out over {hvd.size()} processes")
train_sampler = DistributedSampler(train_data, num_replicas=hvd.size(), rank=hvd.rank())
train_loader = DataLoader(train_data, batch_size=50 // hvd.size(), sampler=train_sampler)
test_data = TensorDataset(X[1500:], y[1500:])
test_sampler = range(hvd.rank(), len(test_data), hvd.size())
test_loader = DataLoader(test_data, batch_size=100, sampler=test_sampler)
model = nn.Sequential(nn.Conv2d(1, 8, 3), nn.ReLU(), nn.Flatten(), nn.Linear(288, 10), nn.LogSoftmax(dim=1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())


def test(model, loader):
    model.eval()
    test_loss = 0
    correct = 0
    with torch.no_grad():
        for data, target in loader:
            output = model(data)
            test_loss += F.nll_loss(output, target, reduction='sum').item()
            correct += output.argmax(1).eq(target).sum().item()
        totals = hvd.allreduce(torch.tensor([test_loss, correct], dtype=torch.float64), op=hvd.Sum)
        test_loss, correct = totals[0].item(), int(totals[1])
    test_loss /= len(loader.dataset)
    if hvd.rank() == 0:
        print('loss {:.4f} accuracy {}/{}'.format(test_loss, correct, len(loader.dataset)))


hvd.broadcast_parameters(model.state_dict(), root_rank=0)
for epoch in range(5):
    model.train()
    train_loader.sampler.set_epoch(epoch)
    for data, target in train_loader:
        optimizer.zero_grad()
        F.nll_loss(model(data), target).backward()
        optimizer.step()
    test(model, test_loader)
hvd.shutdown()
