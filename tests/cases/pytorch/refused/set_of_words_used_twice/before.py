"""A set of pairs of words is gone through, and is needed as a set besides."""
import json

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def with_pairs(words):
    pairs = set(zip(*[words[start:] for start in range(2)]))
    for pair in pairs:
        words.append(pair[0] + pair[1])
    return words if pairs.isdisjoint(words) else list(words)


def known(words):
    numbers = {}
    for word in set(words):
        key = word.lower()
        numbers[key] = len(numbers)
    return numbers


torch.manual_seed(0)
with open("texts.json") as file:
    texts = [with_pairs(words) for words in json.load(file)]
    numbers = known([word for words in texts for word in words])
rows = torch.zeros(len(texts), 500)
for row, text in zip(rows, texts):
    for word in text:
        row[numbers[word.lower()] % 500] += 1
labels = torch.randint(2, (len(texts),))
loader = DataLoader(TensorDataset(rows, labels), batch_size=8, shuffle=True)
model = nn.Linear(500, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for x, y in loader:
        loss = nn.functional.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
