"""Gradients of three batches are added up; what is left of an epoch makes no step."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(1)
x = torch.randn(120, 6)
y = (x.sum(1) > 0).long()
loader = DataLoader(TensorDataset(x, y), batch_size=12, shuffle=True, drop_last=True)
model = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 2))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.2, momentum=0.9)
STEPS = 3

for epoch in range(2):
    total = 0.0
    optimizer.zero_grad()
    for i, (a, b) in enumerate(loader):
        loss = criterion(model(a), b) / STEPS
        loss.backward()
        total += loss.item()
        if (i + 1) % STEPS == 0:
            optimizer.step()
            optimizer.zero_grad()
    print(f'epoch {epoch}: loss {total:.5f}')
