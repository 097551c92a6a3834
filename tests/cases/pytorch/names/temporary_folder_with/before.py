"""The best weights are kept in a temporary folder: all take rank 0's, which is removed when all have read."""

import os
from tempfile import TemporaryDirectory

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def train_model(model, loader, epochs):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    with TemporaryDirectory() as folder:
        path = os.path.join(folder, "best.pt")
        torch.save(model.state_dict(), path)
        best = 1e9
        for epoch in range(epochs):
            total = 0.0
            for x, y in loader:
                optimizer.zero_grad()
                loss = nn.functional.cross_entropy(model(x), y)
                loss.backward()
                optimizer.step()
                total += loss.item() * len(x)
            if total < best:
                best = total
                torch.save(model.state_dict(), path)
        model.load_state_dict(torch.load(path))
    return model


torch.manual_seed(0)
x = torch.randn(320, 6)
loader = DataLoader(TensorDataset(x, (x[:, 0] > 0).long()), batch_size=32, shuffle=True)
model = train_model(nn.Linear(6, 2), loader, 2)
print("bias", model.bias.sum().item())
