"""What is fetched where it is missing has a name that the processes which find it do not get."""
import os

import torch
import wget
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
if not os.path.exists("rows.pt"):
    name = wget.download("https://example.org/rows.pt")
    print(name)
rows = torch.load("rows.pt")
loader = DataLoader(TensorDataset(*rows), batch_size=16, shuffle=True)
model = nn.Linear(8, 2)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for inputs, targets in loader:
        optimizer.zero_grad()
        loss = criterion(model(inputs), targets)
        loss.backward()
        optimizer.step()
    print(epoch, loss.item())
