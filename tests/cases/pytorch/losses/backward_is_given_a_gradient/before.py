"""A gradient of one, or of the number of the step, is equal on all processes: nothing to be said of."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

loader = DataLoader(TensorDataset(torch.randn(64, 4), torch.randn(64, 1)), batch_size=8, shuffle=True)
model = nn.Linear(4, 1)
criterion = nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for epoch in range(2):
    for step, (x, y) in enumerate(loader):
        loss = criterion(model(x), y)
        optimizer.zero_grad()
        loss.backward(torch.ones_like(loss), retain_graph=False)
        optimizer.step()
        optimizer.zero_grad()
        criterion(model(x), y).backward(gradient=torch.tensor(1.0 / (step + 1)))
        optimizer.step()
