"""One function trains or evaluates, by a flag, with a branch for each; only where it trains it gets the wrapper."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def run(loader, model, optimizer=None):
    total = 0.0
    for inputs, target in loader:
        if optimizer is not None:
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(model(inputs), target, reduction="sum")
            loss.backward()
            optimizer.step()
        else:
            with torch.no_grad():
                loss = nn.functional.cross_entropy(model(inputs), target, reduction="sum")
        total += loss.item()
    return total


def main():
    torch.manual_seed(0)
    x, y = torch.randn(64, 10), torch.randint(0, 3, (64,))
    train_loader = DataLoader(TensorDataset(x, y), batch_size=16, shuffle=True)
    valid_loader = DataLoader(TensorDataset(x, y), batch_size=16)
    model = nn.Sequential(nn.Linear(10, 8), nn.ReLU(), nn.Linear(8, 3))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for epoch in range(2):
        run(train_loader, model, optimizer)
        print(f"epoch {epoch}: {run(valid_loader, model):.4f}")


main()
