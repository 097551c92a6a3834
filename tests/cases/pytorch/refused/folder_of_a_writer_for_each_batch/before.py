"""The folder of a writer is read for each batch, of which another process may have one more: it is not told there."""
import os

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.tensorboard import SummaryWriter

torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(64, 8), torch.randn(64, 1)), batch_size=16, shuffle=True)
held_out = DataLoader(TensorDataset(torch.randn(40, 8), torch.randn(40, 1)), batch_size=16)
model = nn.Linear(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
writer = SummaryWriter()

for epoch in range(2):
    for x, y in loader:
        loss = nn.functional.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
total = 0.0
with torch.no_grad():
    for x, y in held_out:
        total += nn.functional.mse_loss(model(x), y, reduction="sum").item()
        print(os.path.basename(writer.log_dir))
        name = os.path.basename(writer.log_dir)
print(total / 40)
