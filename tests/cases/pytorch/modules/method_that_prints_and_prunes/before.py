"""A method of the model prints, and prunes its weights: that has to happen on every process."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from pruned import Net

torch.manual_seed(0)
x, y = torch.randn(64, 10), torch.randint(0, 3, (64,))
loader = DataLoader(TensorDataset(x, y), batch_size=16, shuffle=True)
model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for inputs, labels in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(inputs), labels).backward()
        optimizer.step()
model.prune_all(0.5)
with torch.no_grad():
    print(nn.functional.cross_entropy(model(x), y).item())
