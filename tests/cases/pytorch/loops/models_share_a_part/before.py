"""Two models have one encoder: Horovod's optimizers would both average its gradients."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
data = TensorDataset(torch.randn(96, 4), torch.randn(96, 1))
loader = DataLoader(data, batch_size=16, shuffle=True)
encoder = nn.Linear(4, 8)
coder = nn.Sequential(encoder, nn.ReLU(), nn.Linear(8, 4))
optimizer = torch.optim.SGD(coder.parameters(), lr=0.05)
for epoch in range(2):
    for x, _ in loader:
        loss = nn.functional.mse_loss(coder(x), x)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

predictor = nn.Sequential(encoder, nn.Linear(8, 1))
optimizer = torch.optim.SGD(predictor.parameters(), lr=0.05)
for epoch in range(2):
    for x, y in loader:
        loss = nn.functional.mse_loss(predictor(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
