"""The whole DataParallel object is saved: what is in the file afterwards is the network itself, and that is said."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
features = torch.randn(64, 4)
loader = DataLoader(TensorDataset(features, (features[:, 0] > 0).long()), batch_size=16, shuffle=True)
model = nn.DataParallel(nn.Linear(4, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss()
for epoch in range(2):
    for inputs, labels in loader:
        optimizer.zero_grad()
        criterion(model(inputs), labels).backward()
        optimizer.step()
    torch.save({"epoch": epoch, "model": model}, "whole.pt")
