"""A library that is not installed where the script is compiled is given to a helper, which calls what it made."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

import myboard


def report(board, epoch):
    board.show(epoch)


loader = DataLoader(TensorDataset(torch.randn(64, 8), torch.randn(64, 1)), batch_size=32, shuffle=True)
model = nn.Linear(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
window = myboard.Window()
for epoch in range(2):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
    report(window, epoch)
