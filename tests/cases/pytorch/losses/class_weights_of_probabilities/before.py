"""Targets that may be probabilities are divided by their number: nothing is indexed by them, but it is said."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
loader = DataLoader(torch.load("pairs.pt"), batch_size=32, shuffle=True)
model = nn.Linear(10, 3)
criterion = nn.CrossEntropyLoss(weight=torch.tensor([1.0, 5.0, 2.0]))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for epoch in range(4):
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
