"""Paths that are dropped for some samples, and layers that are given partly made."""
from functools import partial

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

data = TensorDataset(torch.randn(640, 3, 8, 8), torch.randint(0, 10, (640,)))
loader = DataLoader(data, batch_size=32, shuffle=True)


class DropPath(nn.Module):
    def __init__(self, rate):
        super().__init__()
        self.rate = rate

    def forward(self, x):
        if self.rate == 0.0 or not self.training:
            return x
        shape = (x.shape[0],) + (1,) * (x.ndim - 1)
        kept = (1 - self.rate) + torch.rand(shape, dtype=x.dtype, device=x.device)
        return x.div(1 - self.rate) * kept.floor_()


class Block(nn.Module):
    def __init__(self, width, rate, norm_layer=None, act_layer=None):
        super().__init__()
        norm_layer = norm_layer or nn.InstanceNorm2d
        if act_layer is None:
            act_layer = nn.ReLU
        self.conv = nn.Conv2d(width, width, 3, padding=1)
        self.norm = norm_layer(width)
        self.act = act_layer()
        self.drop_path = DropPath(rate) if rate > 0 else nn.Identity()

    def forward(self, x):
        return x + self.drop_path(self.act(self.norm(self.conv(x))))


class Net(nn.Module):
    def __init__(self, norm_layer=partial(nn.GroupNorm, 2)):
        super().__init__()
        self.stem = nn.Conv2d(3, 8, 1)
        self.blocks = nn.Sequential(*[Block(8, 0.1 * i, norm_layer) for i in range(3)])
        self.head = nn.Linear(8, 10)

    def forward(self, x):
        x = self.blocks(self.stem(x))
        return self.head(x.mean(dim=(2, 3)))


model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for x, y in loader:
        loss = F.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
