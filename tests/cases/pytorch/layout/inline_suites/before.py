"""Bodies stand on the line of their if and for: guarding or inserting there needs a suite of its own."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

verbose = True
loader = DataLoader(TensorDataset(torch.randn(320, 10), torch.randn(320, 1)), batch_size=32, shuffle=True)
model = nn.Linear(10, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def step(x, y): optimizer.zero_grad(); nn.functional.mse_loss(model(x), y).backward(); optimizer.step()


for epoch in range(3):
    if verbose: print("epoch", epoch)
    for x, y in loader: step(x, y)
if verbose: print("done")
else: torch.save(model.state_dict(), "silent.pt")
