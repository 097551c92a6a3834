"""The epoch loop is inside fit(model, loader, ...), called once; it returns the history of global losses."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


def fit(model, loader, optimizer, criterion, epochs):
    history = []
    for epoch in range(epochs):
        total, seen = 0.0, 0
        for x, y in loader:
            optimizer.zero_grad()
            loss = criterion(model(x), y)
            loss.backward()
            optimizer.step()
            total += loss.item() * x.size(0)
            seen += x.size(0)
        history.append(total / seen)
    return history


if __name__ == '__main__':
    X = torch.randn(1500, 3)
    w = torch.tensor([[1.0], [-2.0], [0.5]])
    loader = DataLoader(TensorDataset(X, X @ w), batch_size=30, shuffle=True)
    model = nn.Linear(3, 1)
    history = fit(model, loader, torch.optim.SGD(model.parameters(), lr=0.01), nn.MSELoss(), epochs=8)
    print('last loss', history[-1])
