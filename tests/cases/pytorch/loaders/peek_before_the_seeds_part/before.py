"""Weights are set by a random batch while the processes still have the same random numbers."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def train(model, loader):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    samples, _ = next(iter(loader))
    model.bias.data[0] = samples.mean()
    for epoch in range(2):
        for xb, yb in loader:
            opt.zero_grad()
            loss = nn.functional.cross_entropy(model(xb), yb)
            loss.backward()
            opt.step()


torch.manual_seed(0)
x = torch.randn(64, 4); y = (x.sum(1) > 0).long()
train(nn.Linear(4, 2), DataLoader(TensorDataset(x, y), batch_size=16, shuffle=True))
