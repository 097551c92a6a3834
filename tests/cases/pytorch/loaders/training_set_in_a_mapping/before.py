"""The training set stands in a mapping, from which the sampler takes it."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

settings = {"train": dict(dataset=TensorDataset(torch.randn(200, 8), torch.randn(200, 1)), batch_size=20, shuffle=True)}
train_loader = DataLoader(**settings["train"])
model = nn.Linear(8, 1)
criterion = nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

for epoch in range(3):
    for x, y in train_loader:
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        optimizer.step()
