"""seed is a column of plants here and manual_seed the user's own function: neither seeds anything."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


def manual_seed(weight):
    return weight * 1000


seed = torch.rand(300, 7)
print("heaviest", manual_seed(seed.max().item()), "mg")
loader = DataLoader(TensorDataset(seed, (seed.sum(1) > 3.5).long()), batch_size=30, shuffle=True)
model = nn.Linear(7, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
