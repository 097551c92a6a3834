"""A summed loss divided by the batch size as a literal (/ 32): the divisor is the global batch, the loss is a sum over ranks."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(640, 8), torch.randn(640, 1)), batch_size=32, shuffle=True)
model = nn.Linear(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.02)
for epoch in range(4):
    for x, y in loader:
        loss = nn.functional.mse_loss(model(x), y, reduction='sum') / 32
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
