"""A function chooses between epochs, and while workers make batches, which no rank could tell them."""

import random

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def chosen(items):
    return random.sample(items, k=len(items))


def collate(batch):
    inputs, labels = zip(*chosen(batch))
    return torch.stack(inputs), torch.stack(labels)


torch.manual_seed(0)
random.seed(0)
x = torch.randn(320, 64)
data = TensorDataset(x, (x[:, 0] > 0).long())
loader = DataLoader(data, batch_size=32, shuffle=True, collate_fn=collate, num_workers=2)
model = nn.Linear(64, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
names = ["a", "b", "c"]
for epoch in range(2):
    for inputs, labels in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(inputs), labels).backward()
        optimizer.step()
    names = chosen(names)
    print(names)
