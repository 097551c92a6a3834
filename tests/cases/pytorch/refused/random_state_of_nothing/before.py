"""scikit-learn's generator for no seed is NumPy's own, from the system's chance."""

import torch
from sklearn.utils import check_random_state
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

rng = check_random_state(None)
data = TensorDataset(torch.tensor(rng.normal(size=(512, 20))).float(), torch.ones(512).long())
loader = DataLoader(data, batch_size=32, shuffle=True)
model = nn.Linear(20, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
