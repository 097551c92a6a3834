"""A list of losses is written as a whole, and some of its items are printed: two wholes of one name do not meet."""
import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(96, 4), torch.randint(0, 2, (96,))), batch_size=8)
model = nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
curve = []
for epoch in range(2):
    for x, y in loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        curve.append(loss.item())
np.savetxt("curve.txt", curve)
print(curve, round(curve[0], 4), round(curve[-1], 4))
print("steps", len(curve))
