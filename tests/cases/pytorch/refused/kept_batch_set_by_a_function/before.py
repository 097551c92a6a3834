"""A function sets the kept batch to each batch, and the next one sees it: this is carried on."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.rand(64, 16)), batch_size=16, shuffle=True)
model = nn.Linear(16, 16)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.MSELoss()
batches = iter(loader)
(fixed,) = next(batches)


def keep(rows):
    global fixed
    fixed = rows


for step in range(1, 20):
    if step % len(loader) == 0:
        batches = iter(loader)
    (rows,) = next(batches)
    optimizer.zero_grad()
    loss = criterion(model(rows), fixed)
    keep(rows)
    loss.backward()
    optimizer.step()
