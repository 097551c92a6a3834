"""An endless generator begins the loader again and again."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def endless(loader):
    while True:
        for batch in loader:
            yield batch


x = torch.randn(96, 5)
y = x.sum(1, keepdim=True)
data = TensorDataset(x, y)
model = nn.Linear(5, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
batches = endless(DataLoader(data, batch_size=16, shuffle=True))
for step in range(100):
    inputs, targets = next(batches)
    loss = nn.functional.mse_loss(model(inputs), targets)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
larger = DataLoader(data, batch_size=32, shuffle=True)
for step, (inputs, targets) in enumerate(endless(larger)):
    if step == 50:
        break
    loss = nn.functional.mse_loss(model(inputs), targets)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
