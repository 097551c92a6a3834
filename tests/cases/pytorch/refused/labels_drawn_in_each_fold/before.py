"""Targets for the global batch are drawn in each of several trainings."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
for fold in range(3):
    batch_size = 12
    loader = DataLoader(TensorDataset(torch.randn(96, 6)), batch_size=batch_size, drop_last=True)
    model = nn.Linear(6, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    criterion = nn.BCEWithLogitsLoss()
    labels = torch.rand(batch_size, 1)
    for epoch in range(3):
        for x, in loader:
            optimizer.zero_grad()
            criterion(model(x), labels).backward()
            optimizer.step()
