"""How the terminal is set is asked at the start, which fails without one."""
import os
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

_, term_width = os.popen('stty -a', 'r').read().split()[:2]
term_width = len(term_width)
loader = DataLoader(TensorDataset(torch.randn(640, 10), torch.randn(640, 1)), batch_size=32, shuffle=True)
model = nn.Linear(10, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
    print("=" * (term_width - 1))
