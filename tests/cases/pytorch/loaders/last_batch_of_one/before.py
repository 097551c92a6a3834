"""squeeze() of one sample drops its dimension: training stops at its start, tests go by whole batches."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(354, 10)
y = (x[:, 0] > 0).float()
loader = DataLoader(TensorDataset(x[:322], y[:322]), batch_size=32, shuffle=True)
test_loader = DataLoader(TensorDataset(x[322:], y[322:]), batch_size=15)
model = nn.Sequential(nn.Linear(10, 16), nn.ReLU(), nn.Linear(16, 1))
criterion = nn.BCEWithLogitsLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for a, b in loader:
        loss = criterion(model(a).squeeze(), b)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    total = 0.0
    with torch.no_grad():
        for a, b in test_loader:
            total += criterion(model(a).squeeze(), b).item() * len(b)
    print(epoch, total / 32)
