"""Functions that a library or Python itself calls print once a process; where that cannot be followed it is said."""
import atexit

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class Section:
    def __enter__(self):
        return self

    def __exit__(self, *problem):
        print("section done")


def initialise(layer):
    if isinstance(layer, nn.Linear):
        nn.init.zeros_(layer.bias)
        print("initialised", layer)


@atexit.register
def goodbye():
    print("goodbye")


def never_called():
    print("never")


torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(320, 10), torch.randn(320, 1)), batch_size=32, shuffle=True)
with Section():
    model = nn.Linear(10, 1)
    model.apply(initialise)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for epoch in range(3):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
