"""Blocks in a sequence that leave their layers out by chance: no class of the script's own holds them."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Block(nn.Module):
    def __init__(self, kept, width):
        super().__init__()
        self.kept = kept
        self.inner = nn.Sequential(nn.Linear(width, width), nn.ReLU())
        self.around = nn.Linear(width, width)

    def is_kept(self):
        drawn = torch.bernoulli(torch.tensor(self.kept))
        return torch.equal(drawn, torch.tensor(1.0))

    def forward(self, x):
        if self.training:
            if self.is_kept():
                x = self.inner(x) + self.around(x)
            else:
                x = self.around(x)
        else:
            x = self.inner(x) * self.kept + self.around(x)
        return x


class Other(nn.Module):
    """Has a layer of the same name, which it always uses."""

    def __init__(self, width):
        super().__init__()
        self.inner = nn.Linear(width, width)

    def forward(self, x):
        return self.inner(x)


torch.manual_seed(0)
data = TensorDataset(torch.randn(64, 8), torch.randint(0, 3, (64,)))
loader = DataLoader(data, batch_size=16, shuffle=True)
blocks = []
for kept in (0.9, 0.5):
    blocks.append(Block(kept, 8))
model = nn.Sequential(*blocks, Other(8), nn.Linear(8, 3))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
    print(epoch)
