"""A row more than the batch has: a share of the processes has one more each."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

batch_size = 16
torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(160, 4)), batch_size=batch_size, shuffle=True, drop_last=True)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for (x,) in loader:
        valid = torch.ones(batch_size + 1, 1)
        loss = nn.functional.mse_loss(torch.cat([model(x), model(x[:1])]), valid)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
