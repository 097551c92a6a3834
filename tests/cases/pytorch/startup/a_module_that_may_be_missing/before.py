"""A try between the imports notes whether a module is there: the program starts behind all of them."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

try:
    import numba

    has_numba = True
except ImportError:
    has_numba = False
import numpy as np

torch.manual_seed(0)
data = TensorDataset(torch.tensor(np.eye(6, dtype="float32")), torch.ones(6, 1))
loader = DataLoader(data, batch_size=2, shuffle=True)
model = nn.Linear(6, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for x, y in loader:
        loss = nn.functional.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if has_numba:
        print("epoch", epoch)
