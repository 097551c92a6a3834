"""A set is filled with texts, and with what a file has: whether these can be sorted is not known."""
import json

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

labels = set()
for record in json.load(open("labels.json")):
    labels.add(record["name"].lower())
    labels.add(record["other"])
numbers = {}
for label in labels:
    numbers[label] = len(numbers)

loader = DataLoader(TensorDataset(torch.randn(640, 10), torch.randn(640, 1)), batch_size=32, shuffle=True)
model = nn.Linear(10, len(numbers))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
