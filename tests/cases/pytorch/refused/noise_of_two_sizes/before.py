"""A helper draws noise for a batch, and for pictures that are saved: half as many of these would be another file."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

BATCH_SIZE = 16


class Generator(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Linear(4, 8)

    def forward(self, z):
        return self.net(z)


def draw(size):
    return torch.randn(size, 4)


def pictures(generator, size):
    return generator(draw(size)).detach()


torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(64, 8)), batch_size=BATCH_SIZE, shuffle=True, drop_last=True)
generator = Generator()
optimizer = torch.optim.Adam(generator.parameters(), lr=1e-3)
for epoch in range(2):
    for (x,) in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(generator(draw(BATCH_SIZE)), x).backward()
        optimizer.step()
    torch.save(pictures(generator, 6), "pictures.pt")
