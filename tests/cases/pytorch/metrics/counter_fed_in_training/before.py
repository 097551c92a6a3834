"""A Counter is fed in the training loop: what it holds is rank 0's part, and that is said."""
import collections

import torch
import torch.nn as nn
from sklearn.datasets import load_digits
from torch.utils.data import DataLoader, TensorDataset

digits = load_digits()
X = torch.tensor(digits.data).float() / 16
y = torch.tensor(digits.target)
train_loader = DataLoader(TensorDataset(X[:1500], y[:1500]), batch_size=50, shuffle=True)
test_loader = DataLoader(TensorDataset(X[1500:], y[1500:]), batch_size=100)
model = nn.Linear(64, 10)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

for epoch in range(3):
    seen = collections.Counter()
    for inputs, labels in train_loader:
        optimizer.zero_grad()
        criterion(model(inputs), labels).backward()
        optimizer.step()
        seen.update(labels.tolist())
    print(epoch, seen.most_common(3))
