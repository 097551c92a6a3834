"""Losses of a list come about within one expression, in which nothing can be added up over processes."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
data = TensorDataset(torch.randn(320, 10), torch.randint(0, 3, (320,)))
loader = DataLoader(data, batch_size=32, shuffle=True)
model = nn.Linear(10, 3)
criterion = nn.CrossEntropyLoss(weight=torch.tensor([1.0, 5.0, 2.0]))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for epoch in range(4):
    for x, y in loader:
        optimizer.zero_grad()
        out = model(x)
        loss = sum([criterion(out, y) for scale in (1, 2)])
        loss.backward()
        optimizer.step()
