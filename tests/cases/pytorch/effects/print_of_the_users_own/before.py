"""print is redefined by the user to collect lines: calls of it are no output, and only the last line is."""
import sys
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

lines = []


def print(*parts):
    lines.append(" ".join(str(p) for p in parts))


torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(320, 10), torch.randn(320, 1)), batch_size=32, shuffle=True)
model = nn.Linear(10, 1)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for epoch in range(3):
    print("epoch", epoch)
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
sys.stderr.write("\n".join(lines) + "\n")
