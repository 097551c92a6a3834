"""Sums are kept in an array, a tensor of integers and a row of averages."""
import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(96, 6)
y = (x[:, 0] > 0).long()
train_loader = DataLoader(TensorDataset(x, y), batch_size=16, shuffle=True)
model = nn.Linear(6, 2)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    sums = np.zeros(2)
    hits = torch.zeros(2, dtype=torch.long)
    averages = torch.zeros(2)
    for inputs, targets in train_loader:
        optimizer.zero_grad()
        outputs = model(inputs)
        loss = criterion(outputs, targets)
        loss.backward()
        optimizer.step()
        sums += np.array([loss.item() * len(targets), len(targets)])
        right = (outputs.argmax(1) == targets).sum().item()
        hits += torch.tensor([right, len(targets)])
        averages += torch.tensor([loss.item(), outputs.detach().mean().item()])
    averages /= len(train_loader)
    print(epoch, sums[0] / sums[1], (hits[0] / hits[1]).item(), averages.tolist(), np.sqrt(sums))
