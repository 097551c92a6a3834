"""A body with SGD and a head with Adam, one backward pass for both."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(12)
x = torch.randn(96, 6)
y = (x[:, 0] * x[:, 1] > 0).long()
loader = DataLoader(TensorDataset(x, y), batch_size=16, shuffle=True)
body = nn.Sequential(nn.Linear(6, 16), nn.ReLU())
head = nn.Linear(16, 2)
criterion = nn.CrossEntropyLoss()
body_optimizer = torch.optim.SGD(body.parameters(), lr=0.1, momentum=0.9)
head_optimizer = torch.optim.Adam(head.parameters(), lr=0.01)

for epoch in range(2):
    total = 0.0
    for a, b in loader:
        body_optimizer.zero_grad()
        head_optimizer.zero_grad()
        loss = criterion(head(body(a)), b)
        loss.backward()
        body_optimizer.step()
        head_optimizer.step()
        total += loss.item()
    print(f'epoch {epoch}: loss {total / len(loader):.5f}')
