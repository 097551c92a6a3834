"""Losses are added up by functions and methods, which are operators by other names."""

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
features = torch.randn(64, 4)
batch_size = 16
loader = DataLoader(TensorDataset(features, (features[:, 0] > 0).long()), batch_size=batch_size, shuffle=True)
model = nn.Linear(4, 2)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    weighted, total, mean = torch.tensor(0.0), torch.tensor(0.0), 0.0
    for inputs, labels in loader:
        optimizer.zero_grad()
        loss = criterion(model(inputs), labels)
        loss.backward()
        optimizer.step()
        weighted = torch.add(weighted, loss.detach(), alpha=inputs.size(0))
        total = total.add(torch.mul(loss.detach(), len(labels)))
        mean = np.add(mean, loss.item())
    print(epoch, weighted.item() / len(loader.dataset), total.item() / len(loader.dataset), mean / len(loader))
