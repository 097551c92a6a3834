"""Labels are made by torch.full with a column: this is converted."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(64, 4)
y = torch.randn(64, 1)
device = torch.device("cpu")
loader = DataLoader(TensorDataset(x, y), batch_size=8)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


for epoch in range(2):
    total = 0.0
    for batch in loader:
        a, b = batch
        ones = torch.full((a.size(0), 1), 0.9)
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(a), ones) + 0 * b.mean()
        loss.backward()
        optimizer.step()
        total += loss.item() * 8
    print(epoch, total / 64)
