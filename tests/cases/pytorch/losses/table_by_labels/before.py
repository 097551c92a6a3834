"""Rows of a table by the labels of the samples, as a centre loss has them, belong to the samples: the loss is a mean."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
data = TensorDataset(torch.randn(320, 6), torch.randint(0, 3, (320,)))
loader = DataLoader(data, batch_size=32, shuffle=True)
model = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 3))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
centers = torch.randn(3, 3)
weights = torch.rand(3)
for epoch in range(2):
    total = 0.0
    for inputs, labels in loader:
        output = model(inputs)
        loss = F.cross_entropy(output, labels) + 0.1 * (output - centers[labels]).pow(2).sum(1).mean()
        loss = loss + (weights[labels] * output.abs().mean(1)).mean() + F.mse_loss(output[:, 0], centers[labels, 1])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    print(epoch, total / len(loader))
