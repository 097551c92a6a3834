"""Summed losses and hits over len(dataset): the loader is sharded by sample without padding, both sums reduced, the divisor stays."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset
from sklearn.datasets import load_digits

digits = load_digits()
X = torch.tensor(digits.images).float().unsqueeze(1) / 16
y = torch.tensor(digits.target)
train_loader = DataLoader(TensorDataset(X[:1500], y[:1500]), batch_size=50, shuffle=True)
test_loader = DataLoader(TensorDataset(X[1500:], y[1500:]), batch_size=100)
model = nn.Sequential(nn.Conv2d(1, 8, 3), nn.ReLU(), nn.Flatten(), nn.Linear(288, 10), nn.LogSoftmax(dim=1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def test(model, loader):
    model.eval()
    test_loss = 0
    correct = 0
    with torch.no_grad():
        for data, target in loader:
            output = model(data)
            test_loss += F.nll_loss(output, target, reduction='sum').item()
            correct += output.argmax(1).eq(target).sum().item()
    test_loss /= len(loader.dataset)
    print('loss {:.4f} accuracy {}/{}'.format(test_loss, correct, len(loader.dataset)))


for epoch in range(5):
    model.train()
    for data, target in train_loader:
        optimizer.zero_grad()
        F.nll_loss(model(data), target).backward()
        optimizer.step()
    test(model, test_loader)
