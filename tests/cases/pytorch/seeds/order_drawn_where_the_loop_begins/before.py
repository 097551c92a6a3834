"""The order of all batches is drawn once, in the head of the training loop: it must be the same on all processes."""

import torch
from torch import nn

torch.manual_seed(0)
features = torch.randn(64, 4)
labels = (features[:, 0] > 0).long()
model = nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.1), nn.Linear(8, 2))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for rows in torch.randperm(64).split(8):
    loss = criterion(model(features[rows]), labels[rows])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
torch.save(model.state_dict(), "model.pt")
