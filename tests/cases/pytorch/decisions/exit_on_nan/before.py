"""sys.exit when a loss is not finite: one rank would leave and the others hang."""
import math
import sys
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

loader = DataLoader(TensorDataset(torch.randn(640, 10), torch.randn(640, 1)), batch_size=32, shuffle=True)
model = nn.Linear(10, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(5):
    for x, y in loader:
        loss = nn.functional.mse_loss(model(x), y)
        if not math.isfinite(loss.item()):
            print("Loss is {}, stopping training".format(loss.item()))
            sys.exit(1)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
