"""A progress bar as wide as the terminal, which processes under a launcher do not have."""
import os
import sys
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

_, term_width = os.popen('stty size', 'r').read().split()
term_width = int(term_width)
lines = os.get_terminal_size().lines


def progress_bar(done, total):
    sys.stdout.write("=" * int((term_width - 1) * done / total) + "\r")
    sys.stdout.flush()


loader = DataLoader(TensorDataset(torch.randn(640, 10), torch.randn(640, 1)), batch_size=32, shuffle=True)
model = nn.Linear(10, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for step, (x, y) in enumerate(loader):
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
        progress_bar(step, len(loader))
    print("\n" * (lines // 10))
