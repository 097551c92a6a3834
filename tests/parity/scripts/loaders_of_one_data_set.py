"""Two loaders of one data set in each epoch, two more by one function, and one that is made anew each time."""

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
digits = load_digits()
images = torch.tensor(digits.data[:256], dtype=torch.float32) / 16
data = TensorDataset(images, torch.tensor(digits.target[:256]))
model = nn.Sequential(nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 10))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def shuffled(size):
    return DataLoader(data, batch_size=size, shuffle=True)


def train_on(loader):
    total = 0.0
    for x, y in loader:
        loss = F.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    return total / len(loader)


def train_anew():
    anew = DataLoader(data, batch_size=32, shuffle=True)
    for x, y in anew:
        loss = 0.5 * F.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


first = DataLoader(data, batch_size=32, shuffle=True)
second = DataLoader(data, batch_size=16, shuffle=True)
third, fourth = shuffled(32), shuffled(64)
for epoch in range(2):
    total = 0.0
    for x, y in first:
        loss = F.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    for x, y in second:
        loss = F.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"epoch {epoch}: loss {total / len(first):.4f}, {train_on(third):.4f}, {train_on(fourth):.4f}")
    train_anew()
torch.save(model.state_dict(), "model.pt")
