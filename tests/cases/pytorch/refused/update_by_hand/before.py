"""Weights are updated by hand with the gradient that ``output.backward()`` gives: it trains, and is no loop over a loader."""
import torch
import torch.nn as nn
torch.manual_seed(0)
x = torch.randn(320, 10); t = torch.randn(320)
w = torch.randn(10, requires_grad=True)
for epoch in range(2):
    output = ((x @ w - t) ** 2).mean()
    output.backward()
    with torch.no_grad():
        w = w - 0.1 * w.grad
    w.requires_grad_()
    print(output.item())
