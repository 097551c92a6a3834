"""No lr is given: the default of the class holds."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(320, 3), torch.randn(320, 1)), batch_size=32, shuffle=True)
model = nn.Linear(3, 1)
optimizer = torch.optim.Adam(model.parameters())
for epoch in range(3):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
