"""SGD only hands on what its closure returns, and nobody uses it: it stays this process's."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

loader = DataLoader(TensorDataset(torch.randn(400, 10), torch.randn(400, 1)), batch_size=20)
model = nn.Linear(10, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for epoch in range(5):
    for x, y in loader:
        def closure():
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(x), y, reduction="sum")
            loss.backward()
            return loss

        optimizer.step(closure)
    print(epoch)
