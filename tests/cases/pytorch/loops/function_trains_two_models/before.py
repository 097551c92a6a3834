"""A function trains one model after another: each is wrapped, and the loader goes on to a new order."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def train(model, loader, optimizer, epochs):
    criterion = nn.CrossEntropyLoss()
    for epoch in range(epochs):
        model.train()
        total = 0.0
        for xb, yb in loader:
            optimizer.zero_grad()
            loss = criterion(model(xb), yb)
            loss.backward()
            optimizer.step()
            total += loss.item() * len(xb)
        print(f"epoch {epoch}: {total / len(loader.dataset):.4f}")


torch.manual_seed(0)
x = torch.randn(64, 4)
y = (x[:, 0] > 0).long()
loader = DataLoader(TensorDataset(x, y), batch_size=16, shuffle=True)

small = nn.Linear(4, 2)
train(small, loader, torch.optim.SGD(small.parameters(), lr=0.1), 3)
large = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 2))
train(large, loader, torch.optim.Adam(large.parameters(), lr=0.01), 2)
