"""Two functions train, and either of them may be what fire calls."""

import fire
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def train(epochs=3, batch_size=16, lr=0.1):
    torch.manual_seed(0)
    data = TensorDataset(torch.randn(64, 8), torch.randint(0, 3, (64,)))
    loader = DataLoader(data, batch_size=batch_size, shuffle=True)
    model = nn.Linear(8, 3)
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=lr)
    for epoch in range(epochs):
        total = 0.0
        for x, y in loader:
            optimizer.zero_grad()
            loss = criterion(model(x), y)
            loss.backward()
            optimizer.step()
            total += loss.item()
        print(epoch, total / len(loader))


def tune(epochs=3, batch_size=16, lr=0.01):
    torch.manual_seed(0)
    data = TensorDataset(torch.randn(64, 8), torch.randint(0, 3, (64,)))
    loader = DataLoader(data, batch_size=batch_size, shuffle=True)
    model = nn.Linear(8, 3)
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=lr)
    for epoch in range(epochs):
        total = 0.0
        for x, y in loader:
            optimizer.zero_grad()
            loss = criterion(model(x), y)
            loss.backward()
            optimizer.step()
            total += loss.item()
        print(epoch, total / len(loader))


if __name__ == "__main__":
    fire.Fire()
