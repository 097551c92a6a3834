"""Sets whose items are numbered one after another: what fills them gives texts, so that they can be sorted."""
import json

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

records = json.load(open("records.json"))
words = [word for record in records for word in record.split()]
words = set(words)
index = {}
for word in words:
    index[word] = len(index)

labels = set()
for record in json.load(open("labels.json")):
    for name in record:
        labels.add(name.lower())
numbers = {}
for label in labels:
    numbers[label] = len(numbers)

data = TensorDataset(torch.randint(len(index), (640, 5)), torch.randint(len(numbers), (640,)))
loader = DataLoader(data, batch_size=32, shuffle=True)
model = nn.Sequential(nn.Embedding(len(index), 4), nn.Flatten(), nn.Linear(20, len(numbers)))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
