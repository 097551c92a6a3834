"""Two trainings, one after the other: each has a model, an optimizer and a loader of its own; samples are drawn between."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(72, 4)
y = (x[:, 0] > 0).long()
criterion = nn.CrossEntropyLoss()

small = nn.Linear(4, 2)
small_optimizer = torch.optim.SGD(small.parameters(), lr=0.1)
small_loader = DataLoader(TensorDataset(x, y), batch_size=12, shuffle=True)
for epoch in range(2):
    total = 0.0
    for inputs, labels in small_loader:
        small_optimizer.zero_grad()
        loss = criterion(small(inputs), labels)
        loss.backward()
        small_optimizer.step()
        total += loss.item() * len(inputs)
    print(f"small {epoch}: {total / len(x):.4f}")

large = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Dropout(0.1), nn.Linear(8, 2))
large_optimizer = torch.optim.Adam(large.parameters(), lr=0.01)
chosen = torch.randperm(len(x))[:48]
large_loader = DataLoader(TensorDataset(x[chosen], y[chosen]), batch_size=24, shuffle=True)
for epoch in range(2):
    correct = 0
    for inputs, labels in large_loader:
        large_optimizer.zero_grad()
        outputs = large(inputs)
        loss = criterion(outputs, labels)
        loss.backward()
        large_optimizer.step()
        correct += (outputs.argmax(1) == labels).sum().item()
    print(f"large {epoch}: {correct / len(chosen):.4f}")
