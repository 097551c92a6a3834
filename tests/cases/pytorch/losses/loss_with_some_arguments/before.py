"""The loss is a function that was given some of its arguments before: one of a library, and one of the script's own."""
from functools import partial

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


def weighted(output, target, each, weight=1.0):
    return weight * each(output, target)


torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(320, 10), torch.randint(0, 3, (320,))), batch_size=32, shuffle=True)
model = nn.Linear(10, 3)
smoothed = partial(F.cross_entropy, label_smoothing=0.1, reduction="sum")
criterion = partial(weighted, each=smoothed, weight=0.5)
optimizer = torch.optim.SGD(model.parameters(), lr=0.002)
for epoch in range(3):
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
