"""Shuffled folds without a random_state: rank 0's seed is shared for them."""
import numpy as np
import torch
from sklearn.model_selection import KFold
from torch import nn
from torch.utils.data import DataLoader, Subset, TensorDataset

torch.manual_seed(0)
data = TensorDataset(torch.randn(90, 6), torch.randint(0, 2, (90,)))
for train_idx, _ in KFold(n_splits=3, shuffle=True).split(np.arange(90)):
    loader = DataLoader(Subset(data, train_idx), batch_size=20, shuffle=True)
    model = nn.Linear(6, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(2):
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(x), y).backward()
            optimizer.step()
