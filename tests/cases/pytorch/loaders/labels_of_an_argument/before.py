"""Adversaries: labels and noise are made for the batch size, in the step and in a method of a module."""
import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

parser = argparse.ArgumentParser()
parser.add_argument("--batch_size", type=int, default=16)
opt = parser.parse_args()


class Generator(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.size = size
        self.layers = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 6))

    def forward(self, labels):
        noise = torch.randn(self.size, 3)
        return self.layers(torch.cat([noise, labels], 1))


torch.manual_seed(0)
data = torch.randn(160, 6)
loader = DataLoader(TensorDataset(data), batch_size=opt.batch_size, shuffle=True, drop_last=True)
generator = Generator(opt.batch_size)
critic = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 1), nn.Sigmoid())
criterion = nn.BCELoss()
steps = torch.optim.SGD(generator.parameters(), lr=0.05), torch.optim.SGD(critic.parameters(), lr=0.05)
optimizer_g, optimizer_c = steps

for epoch in range(3):
    for (real,) in loader:
        valid = torch.ones(opt.batch_size, 1)
        fake = torch.full((opt.batch_size, 1), 0.0)
        optimizer_c.zero_grad()
        loss_c = criterion(critic(real), valid) + criterion(critic(generator(valid).detach()), fake)
        loss_c.backward()
        optimizer_c.step()
        optimizer_g.zero_grad()
        loss_g = criterion(critic(generator(valid)), valid)
        loss_g.backward()
        optimizer_g.step()
    print(epoch)
torch.save(generator.state_dict(), "generator.pt")
