"""Batches are cut once, kept in a list, and shuffled as a whole before each epoch."""

import random

import torch
from torch import nn


def make_batches(features, labels, size):
    batches = []
    for start in range(0, len(features), size):
        batches.append((features[start : start + size], labels[start : start + size]))
    return batches


random.seed(0)
torch.manual_seed(0)
x = torch.randn(100, 6)
batches = make_batches(x, (x[:, 0] > 0).long(), 16)
model = nn.Linear(6, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    random.shuffle(batches)
    for features, labels in batches:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(features), labels)
        loss.backward()
        optimizer.step()
    print(f"epoch {epoch}")
