"""Gradients are read for each batch, and collected over two: averaged again, they are what they were."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(640, 10), torch.randn(640, 1)), batch_size=32, shuffle=True)
model = nn.Linear(10, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
norms = []
for epoch in range(3):
    for i, (x, y) in enumerate(loader):
        loss = nn.functional.mse_loss(model(x), y) / 2
        loss.backward()
        norms.append(model.weight.grad.norm().item())
        if (i + 1) % 2 == 0:
            optimizer.step()
            optimizer.zero_grad()
print(sum(norms))
