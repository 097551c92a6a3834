"""An own permutation picks the training and validation subsets: it must be the same on every rank."""
import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Subset, TensorDataset

data = TensorDataset(torch.randn(1000, 3), torch.randn(1000, 1))
indices = np.random.permutation(len(data))
train_ds, valid_ds = Subset(data, indices[:800]), Subset(data, indices[800:])
train_dl = DataLoader(train_ds, batch_size=50, shuffle=True)
model = nn.Linear(3, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for epoch in range(3):
    for x, y in train_dl:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
