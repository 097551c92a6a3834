"""A penalty on weights has layers in it that the forward pass leaves out: they get a gradient without DDP's forward."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.spare = nn.Linear(6, 4)
        self.out = nn.Linear(6, 3)

    def forward(self, x):
        return self.out(x)


loader = DataLoader(TensorDataset(torch.randn(48, 6), torch.randint(0, 3, (48,))), batch_size=12, shuffle=True)
model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for inputs, labels in loader:
        optimizer.zero_grad()
        penalty = sum(p.norm() for p in model.parameters())
        loss = nn.functional.cross_entropy(model(inputs), labels) + 1e-3 * penalty
        loss.backward()
        optimizer.step()
