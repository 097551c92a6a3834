"""Layers of a plain list are added to the optimizer by their place, for a function that trains: all is averaged."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = []
        for _ in range(3):
            self.parts.append(nn.Linear(8, 8))
        self.out = nn.Linear(8, 2)

    def forward(self, x):
        for part in self.parts:
            x = torch.tanh(part(x))
        return self.out(x)


torch.manual_seed(0)
x = torch.randn(64, 8)
loader = DataLoader(TensorDataset(x, (x[:, 0] > 0).long()), batch_size=8, shuffle=True)
model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for i in range(3):
    optimizer.add_param_group({"params": model.parts[i].parameters()})


def train(net, opt):
    for a, b in loader:
        opt.zero_grad()
        nn.functional.cross_entropy(net(a), b).backward()
        opt.step()


for epoch in range(3):
    train(model, optimizer)
