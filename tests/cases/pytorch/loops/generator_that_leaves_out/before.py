"""A generator that leaves batches out by what is in them gives another number on each process: refused."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def batches(loader, device):
    for x, y in loader:
        if x.mean() > 0:
            yield x.to(device), y.to(device)


torch.manual_seed(0)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
inputs, labels = torch.randn(320, 6), torch.randint(0, 3, (320,))
train = DataLoader(TensorDataset(inputs[:256], labels[:256]), batch_size=32, shuffle=True)
test = DataLoader(TensorDataset(inputs[256:], labels[256:]), batch_size=16)
model = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 3)).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

for epoch in range(2):
    total = 0.0
    for step, (x, y) in enumerate(batches(train, device)):
        loss = F.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    correct = 0
    with torch.no_grad():
        for x, y in batches(test, device):
            correct += (model(x).argmax(1) == y).sum().item()
    print(epoch, total / len(train), correct / len(labels[256:]))
