"""A square of the batch size is no tensor with a row for each sample only."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

batch_size = 16
torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(160, 4)), batch_size=batch_size, shuffle=True, drop_last=True)
model = nn.Linear(4, 16)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for (x,) in loader:
        weights = torch.ones(batch_size, batch_size)
        loss = (model(x) * weights).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
