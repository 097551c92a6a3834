"""The first batch of an iterator is kept to look at the model's outputs for it: what no batch changes is no state."""
import numpy as np
import torch
from scipy.misc import imsave
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.rand(64, 16)), batch_size=16, shuffle=True)
model = nn.Linear(16, 16)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.MSELoss()
batches = iter(loader)
(fixed,) = next(batches)
for step in range(1, 20):
    if step % len(loader) == 0:
        batches = iter(loader)
    (rows,) = next(batches)
    optimizer.zero_grad()
    loss = criterion(model(rows), rows)
    loss.backward()
    optimizer.step()
    if step % 5 == 0:
        shown = model(fixed).detach().numpy()
        imsave(f"step_{step}.png", np.concatenate([fixed.numpy(), shown]))
