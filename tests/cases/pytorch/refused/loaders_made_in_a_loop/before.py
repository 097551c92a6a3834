"""A loop makes the loaders of all sets, of which the first is trained on: the others would get a part of their batches."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

loaders = []
for number, rows in enumerate((64, 24)):
    data = TensorDataset(torch.randn(rows, 4), torch.randn(rows, 1))
    loaders.append(DataLoader(data, batch_size=8, shuffle=(number == 0)))
training, held_out = loaders
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
for epoch in range(3):
    for x, y in training:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
    with torch.no_grad():
        print(epoch, torch.cat([model(x) for x, _ in held_out]).mean().item())
