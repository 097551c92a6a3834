"""A star gives the modules that the package lists; a module is an attribute of its package; a name beginning with _."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

import nets.sizes
from nets import *

torch.manual_seed(1)
model = small.Small(nets.sizes.WIDTH)
loader = DataLoader(TensorDataset(*_rows(256)), batch_size=32, shuffle=True)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
for epoch in range(2):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
