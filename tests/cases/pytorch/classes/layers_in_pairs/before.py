"""Layers that are added in pairs to a list that began empty, and taken apart by a loop; shifted copies after a star."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Residual(nn.Module):
    def __init__(self, width, inner):
        super().__init__()
        self.net = nn.Sequential(nn.LayerNorm(width), nn.Linear(width, inner), nn.GELU(), nn.Linear(inner, width))

    def forward(self, x):
        return self.net(x)


class Attention(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.to_all = nn.Linear(width, width * 3, bias=False)

    def forward(self, x):
        q, k, v = self.to_all(x).chunk(3, dim=-1)
        return (q @ k.transpose(-1, -2)).softmax(dim=-1) @ v


class Shifted(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.to_tokens = nn.Linear(12, width)

    def forward(self, x):
        shifts = ((1, -1), (-1, 1))
        others = list(map(lambda shift: F.pad(x, shift), shifts))
        together = torch.cat((x, *others), dim=1)
        return self.to_tokens(together.transpose(1, 2))


class Net(nn.Module):
    def __init__(self, width, depth):
        super().__init__()
        self.tokens = Shifted(width)
        self.layers = nn.ModuleList([])
        for _ in range(depth):
            self.layers.append(nn.ModuleList([Attention(width), Residual(width, 2 * width)]))
        self.head = nn.Linear(width, 3)

    def forward(self, x):
        x = self.tokens(x)
        for attention, feed in self.layers:
            x = attention(x) + x
            x = feed(x) + x
        return self.head(x.mean(dim=1))


torch.manual_seed(0)
data = TensorDataset(torch.randn(320, 4, 10), torch.randint(0, 3, (320,)))
loader = DataLoader(data, batch_size=32, shuffle=True)
model = Net(16, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for inputs, labels in loader:
        loss = F.cross_entropy(model(inputs), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
