"""All wait before a method reads what rank 0 wrote: a class that nothing makes calls a method of its own by that name."""
import json

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Words:
    def __init__(self, path):
        self.path = path
        self.reset()

    def reset(self):
        with open(self.path) as file:
            self.words = json.load(file)


class Counter:
    def __init__(self):
        self.reset()

    def reset(self):
        self.counts = {}


file = open("words.json", "w")
json.dump(["a", "b"], file)
file.close()
words = Words("words.json")
data = TensorDataset(torch.randn(64, 4), torch.randn(64, 1))
loader = DataLoader(data, batch_size=8, shuffle=True)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for x, y in loader:
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
