"""What no wrapper averages is sent as it is, and that is said."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

data = TensorDataset(torch.randn(64, 8), torch.randn(64, 2))
loader = DataLoader(data, batch_size=16, shuffle=True)
model = nn.Linear(8, 2)
log_sigma = nn.Parameter(torch.zeros(1))
optimizer = torch.optim.SGD([*model.parameters(), log_sigma], lr=0.1)

for epoch in range(2):
    for inputs, targets in loader:
        optimizer.zero_grad()
        errors = (model(inputs) - targets) ** 2
        loss = (errors * torch.exp(-log_sigma) + log_sigma).mean()
        loss.backward()
        optimizer.step()
