"""Samples are drawn by weight, with replacement; the last batch is short, and another part is drawn to validate."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, SubsetRandomSampler, TensorDataset, WeightedRandomSampler

torch.manual_seed(5)
inputs = torch.randn(250, 6)
labels = (inputs[:, 0] + inputs[:, 1] > 1).long()
data = TensorDataset(inputs, labels)
weights = 1.0 / labels.bincount()[labels].float()
weights[200:] = 0
train_loader = DataLoader(data, batch_size=24, sampler=WeightedRandomSampler(weights, 183))
valid_loader = DataLoader(data, batch_size=16, sampler=SubsetRandomSampler(range(200, 250)))
model = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Dropout(0.1), nn.Linear(16, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    model.train()
    for x, y in train_loader:
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
    model.eval()
    correct = 0
    with torch.no_grad():
        for x, y in valid_loader:
            correct += (model(x).argmax(1) == y).sum().item()
    print(f"epoch {epoch}: accuracy {correct / len(valid_loader.sampler):.4f}")
