"""A share of a batch has fewer parts of eight samples than the batch, so the mean over the parts is another one."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(96, 6)
y = (x[:, 0] > 0).long()
loader = DataLoader(TensorDataset(x, y), batch_size=32, shuffle=True)
model = nn.Linear(6, 2)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for features, labels in loader:
        optimizer.zero_grad()
        for part, truth in zip(features.split(8), labels.split(8)):
            loss = criterion(model(part), truth) / 4
            loss.backward()
        optimizer.step()
