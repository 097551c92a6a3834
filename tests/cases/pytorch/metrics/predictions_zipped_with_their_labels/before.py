"""Predictions are compared with labels that were collected beside them: those of a shard, which is said."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def accuracy(labels, predictions):
    hits = sum(int(p >= 0.5) == int(label) for label, p in zip(labels, predictions))
    return hits / len(labels)


torch.manual_seed(0)
x = torch.randn(400, 4)
y = (x[:, 0] > 0).float()
loader = DataLoader(TensorDataset(x, y), batch_size=20)
model = nn.Sequential(nn.Linear(4, 1), nn.Flatten(0), nn.Sigmoid())
optimizer = torch.optim.Adam(model.parameters(), lr=0.05)
for epoch in range(5):
    predictions, labels = [], []
    for xb, yb in loader:
        outputs = model(xb)
        loss = nn.functional.binary_cross_entropy(outputs, yb)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        predictions += list(outputs.detach().numpy())
        labels += list(yb.numpy())
    print(f"{epoch}: {accuracy(labels, predictions):.4f}")
