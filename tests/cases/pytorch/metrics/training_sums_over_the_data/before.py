"""Sums over a training pass count what fills up the last batch, so they are divided by all samples that it gives."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
torch.manual_seed(0)
x = torch.randn(41, 4); y = (x.sum(1) > 0).long()
train_set, test_set = TensorDataset(x[:33], y[:33]), TensorDataset(x[33:], y[33:])
train_loader = DataLoader(train_set, batch_size=8, shuffle=True)
dropping = DataLoader(test_set, batch_size=4)
model = nn.Linear(4, 2)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
crit = nn.CrossEntropyLoss()
n = len(train_set)

def train(loader):
    total, right, batches = 0.0, 0, 0.0
    for i, (a, b) in enumerate(loader):
        opt.zero_grad()
        p = model(a)
        loss = crit(p, b)
        loss.backward()
        opt.step()
        total += loss.item() * a.size(0)
        right += (p.argmax(1) == b).sum().item()
        batches += loss.item()
        if i == 2:
            print("part", right / len(loader.dataset), total / ((i + 1) * len(b)))
    print("mean", batches / len(loader), batches / len(train_set))
    return total / len(loader.dataset), 100.0 * right / len(loader.dataset), right / n

def test(loader):
    right = 0
    for a, b in loader:
        right += (model(a).argmax(1) == b).sum().item()
    return right / len(loader.dataset), right / len(test_set), right / len(train_set)

for epoch in range(2):
    print(train(train_loader))
    print(test(dropping))
