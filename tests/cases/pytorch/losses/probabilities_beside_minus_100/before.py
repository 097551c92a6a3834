"""A -100 that has nothing to do with targets: probabilities are divided by their number, and nothing is counted."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
labels = F.one_hot(torch.randint(0, 3, (320,)), 3).float()
loader = DataLoader(TensorDataset(torch.randn(320, 10), labels), batch_size=32, shuffle=True)
model = nn.Linear(10, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for epoch in range(4):
    for x, y in loader:
        optimizer.zero_grad()
        out = torch.clamp(model(x), -100, 100)
        loss = F.cross_entropy(out, y)
        loss.backward()
        optimizer.step()
