"""A model is loaded where its file is there, and trained and saved where not: all have asked before they train."""
import os

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(64, 4)
y = (x.sum(1) > 0).long()
loader = DataLoader(TensorDataset(x, y), batch_size=16, shuffle=True)
model = nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss()
path = os.path.join("models", "linear.pt")
if os.path.isfile(path):
    model.load_state_dict(torch.load(path))
    print("loaded")
else:
    for epoch in range(2):
        for xb, yb in loader:
            optimizer.zero_grad()
            loss = criterion(model(xb), yb)
            loss.backward()
            optimizer.step()
        torch.save(model.state_dict(), path)
    with open("trained.txt", "a") as file:
        file.write("trained\n")
print(model(x).argmax(1).eq(y).float().mean())
