"""The evaluation computes gradients, too: it is not known that all processes are in it together."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


def dice(p, y):
    return 1 - (2 * (p * y).sum() + 1) / (p.sum() + y.sum() + 1)


torch.manual_seed(0)
data = TensorDataset(torch.randn(64, 16), (torch.rand(64, 4) > 0.5).float())
loader, held_out = DataLoader(data, batch_size=16, shuffle=True), DataLoader(data, batch_size=16)
model = nn.Linear(16, 4)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for x, y in loader:
        optimizer.zero_grad()
        dice(torch.sigmoid(model(x)), y).backward()
        optimizer.step()
    print(epoch, sum(dice(torch.sigmoid(model(x)), y).item() for x, y in held_out))
