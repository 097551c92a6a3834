"""A loop adds layers of a plain list to the optimizer: its variable is the last, and all that is stepped is averaged."""

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
params = list(model.parameters())
for part in model.parts:
    params += part.parameters()
optimizer = torch.optim.SGD(params, lr=0.1)
for epoch in range(3):
    for a, b in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(a), b).backward()
        optimizer.step()
print(sum(p.abs().sum().item() for p in params))
