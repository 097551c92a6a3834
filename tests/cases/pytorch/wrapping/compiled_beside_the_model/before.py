"""The compiled model trains, the model that it was made of is saved."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

loader = DataLoader(TensorDataset(torch.randn(640, 10), torch.randn(640, 1)), batch_size=32, shuffle=True)
model = nn.Sequential(nn.Linear(10, 8), nn.ReLU(), nn.Linear(8, 1))
compiled = torch.compile(model, mode="reduce-overhead")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


@torch.compile
def error(output, y):
    return nn.functional.mse_loss(output, y)


for epoch in range(3):
    for x, y in loader:
        optimizer.zero_grad()
        error(compiled(x), y).backward()
        optimizer.step()
torch.save(model.state_dict(), "model.pt")
