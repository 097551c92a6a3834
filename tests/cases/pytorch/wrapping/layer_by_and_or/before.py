"""A layer that is there only where widths differ, written with `and` and `or`, as wide residual networks are."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Block(nn.Module):
    def __init__(self, features, outputs):
        super().__init__()
        self.equal = features == outputs
        self.first = nn.Linear(features, outputs)
        self.shortcut = (not self.equal) and nn.Linear(features, outputs) or None

    def forward(self, x):
        out = self.first(x)
        return torch.add(x if self.equal else self.shortcut(x), out)


torch.manual_seed(1)
loader = DataLoader(TensorDataset(torch.randn(64, 6), torch.randint(0, 2, (64,))), batch_size=32, shuffle=True)
net = nn.Sequential(Block(6, 8), nn.ReLU(), Block(8, 8), nn.Linear(8, 2))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss()
for epoch in range(2):
    for x, y in loader:
        loss = criterion(net(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
