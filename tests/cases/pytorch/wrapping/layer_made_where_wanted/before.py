"""Blocks in a sequence have a layer only where an option wants it, and use it then: each step uses all there is."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Block(nn.Module):
    def __init__(self, width, scaled, shift=None):
        super().__init__()
        self.scaled = scaled
        self.layer = nn.Linear(width, width)
        if self.scaled:
            self.scale = nn.Linear(width, width)
        self.shift = shift

    def forward(self, x):
        x = torch.relu(self.layer(x))
        if self.shift is not None:
            x = self.shift(x)
        return self.scale(x) if self.scaled else x


torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(64, 8), torch.randint(0, 3, (64,))), batch_size=16, shuffle=True)
blocks = [Block(8, number > 0, nn.Linear(8, 8) if number else None) for number in range(2)]
model = nn.Sequential(*blocks, nn.Linear(8, 3))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
