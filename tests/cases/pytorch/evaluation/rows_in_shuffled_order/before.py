"""Rows of arrays are taken in a shuffled order before training: targets stay one number a sample, and sums are exact."""
import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset


class Rows(Dataset):
    def __init__(self, x, y):
        self.x = torch.tensor(x, dtype=torch.float32)
        self.y = torch.tensor(y, dtype=torch.int64)

    def __getitem__(self, index):
        return self.x[index], self.y[index]

    def __len__(self):
        return self.y.shape[0]


rng = np.random.RandomState(0)
x = rng.normal(size=(320, 10))
y = (x[:, 0] > 0).astype(int)
order = np.arange(y.shape[0])
rng.shuffle(order)
x, y = x[order], y[order]
torch.manual_seed(0)
train_loader = DataLoader(Rows(x[:256], y[:256]), batch_size=32, shuffle=True)
test_loader = DataLoader(Rows(x[256:], y[256:]), batch_size=32)
model = nn.Linear(10, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
for epoch in range(2):
    for inputs, targets in train_loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(inputs), targets)
        loss.backward()
        optimizer.step()
    correct, seen = 0, 0
    with torch.no_grad():
        for inputs, targets in test_loader:
            _, predicted = torch.max(model(inputs), 1)
            seen += targets.size(0)
            correct += (predicted == targets).sum()
    print(correct.float() / seen)
