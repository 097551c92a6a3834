"""Data sets, splits and loaders are imported from the modules that define them: a split is drawn alike all the same."""

import torch
import torch.utils.data.dataset as datasets
from torch import nn
from torch.utils.data.dataloader import DataLoader
from torch.utils.data.dataset import TensorDataset, random_split

x = torch.linspace(-1, 1, 80).view(80, 1)
train, rest = random_split(TensorDataset(x, (x[:, 0] > 0).long()), [48, 32])
valid, test = datasets.random_split(rest, [16, 16])
train_loader = DataLoader(train, batch_size=8, shuffle=True)
valid_loader = DataLoader(valid, batch_size=8)
model = nn.Linear(1, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for inputs, labels in train_loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(inputs), labels).backward()
        optimizer.step()
    hits = 0
    with torch.no_grad():
        for inputs, labels in valid_loader:
            hits += (model(inputs).argmax(1) == labels).sum().item()
    print(hits / len(valid))
