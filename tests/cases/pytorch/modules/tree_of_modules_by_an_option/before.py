"""Modules make others of their class, some with a width that the outermost is not given: those compare samples."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Tree(nn.Module):
    def __init__(self, levels, width=None):
        super().__init__()
        self.layer = nn.Linear(4, 4)
        self.norm = None
        if width is not None:
            self.norm = nn.BatchNorm1d(width)
        if levels > 0:
            self.inner = Tree(levels - 1, width=4)
        else:
            self.inner = nn.Identity()

    def forward(self, x):
        x = self.layer(x)
        if self.norm is not None:
            x = self.norm(x)
        return self.inner(x)


torch.manual_seed(3)
loader = DataLoader(TensorDataset(torch.randn(64, 4), torch.randn(64, 4)), batch_size=16, shuffle=True)
model = Tree(2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.MSELoss()
for epoch in range(2):
    for x, y in loader:
        loss = criterion(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
