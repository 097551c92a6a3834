"""Two functions, one loader each: each is changed at its own DataLoader call."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


def train_dataloader(n):
    xs = torch.randn(n, 6)
    return DataLoader(TensorDataset(xs, xs.sum(1, keepdim=True)), batch_size=16, shuffle=True)


def val_dataloader(n):
    xs = torch.randn(n, 6)
    return DataLoader(TensorDataset(xs, xs.sum(1, keepdim=True)), batch_size=16, shuffle=False)


def run():
    train, val = train_dataloader(800), val_dataloader(123)
    model = nn.Linear(6, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.02)
    for epoch in range(6):
        for x, y in train:
            optimizer.zero_grad()
            nn.functional.mse_loss(model(x), y).backward()
            optimizer.step()
        sse = 0.0
        with torch.no_grad():
            for x, y in val:
                sse += ((model(x) - y) ** 2).sum().item()
        print(epoch, "val mse", sse / len(val.dataset))


run()
