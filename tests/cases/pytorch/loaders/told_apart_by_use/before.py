"""The loader called test_loader trains and the one called train_loader evaluates: use decides, not the name."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

a = TensorDataset(torch.randn(640, 4), torch.randint(0, 3, (640,)))
b = TensorDataset(torch.randn(100, 4), torch.randint(0, 3, (100,)))
test_loader = DataLoader(a, batch_size=32, shuffle=True)
train_loader = DataLoader(b, batch_size=32)

model = nn.Linear(4, 3)
sgd = torch.optim.SGD(model.parameters(), lr=0.1)

for epoch in range(3):
    for x, y in test_loader:
        sgd.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        sgd.step()
    good = 0
    with torch.no_grad():
        for x, y in train_loader:
            good += (model(x).argmax(1) == y).sum().item()
    print("held out:", good / len(b))
