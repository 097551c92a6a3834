"""Of the layers that come in pairs, the second of each compares the samples of a batch with one another."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Feed(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.net = nn.Linear(width, width)

    def forward(self, x):
        return self.net(x)


class Rivals(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.net = nn.Linear(width, width)

    def forward(self, x):
        return self.net(x) * x.softmax(dim=0)


class Net(nn.Module):
    def __init__(self, width, depth):
        super().__init__()
        self.layers = nn.ModuleList([])
        for _ in range(depth):
            self.layers.append(nn.ModuleList([Feed(width), Rivals(width)]))
        self.head = nn.Linear(width, 3)

    def forward(self, x):
        for feed, rivals in self.layers:
            x = feed(x) + x
            x = rivals(x) + x
        return self.head(x)


torch.manual_seed(0)
data = TensorDataset(torch.randn(320, 16), torch.randint(0, 3, (320,)))
loader = DataLoader(data, batch_size=32, shuffle=True)
model = Net(16, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for inputs, labels in loader:
        loss = F.cross_entropy(model(inputs), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
