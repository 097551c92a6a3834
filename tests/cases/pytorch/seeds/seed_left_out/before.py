"""A seed that is left out is not set: the branch for it is not taken."""
import random

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)

def show(n, seed=None):
    if seed:
        random.seed(seed)
    print(random.sample(range(10), k=n))


def show_again(n, seed=None):
    if not seed:
        print("no seed")
    else:
        random.seed(seed)
    print(random.sample(range(10), k=n))


show(3)
show(4, seed=None)
show_again(2)
x = torch.randn(64, 4)
y = (x.sum(1) > 0).long()
loader = DataLoader(TensorDataset(x, y), batch_size=4, shuffle=True)
model = nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss()
for epoch in range(2):
    for xb, yb in loader:
        optimizer.zero_grad()
        loss = criterion(model(xb), yb)
        loss.backward()
        optimizer.step()
