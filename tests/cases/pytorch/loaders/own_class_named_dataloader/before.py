"""The user's own class DataLoader reads files and is left alone; torch's is reached as data.DataLoader."""
import csv

import torch
from torch import nn, optim
from torch.utils import data


class DataLoader:
    """Reads a table of numbers."""

    def __init__(self, path, shuffle=True):
        self.path = path
        self.shuffle = shuffle

    def load(self):
        with open(self.path) as f:
            rows = [[float(v) for v in row] for row in csv.reader(f)]
        return torch.tensor(rows)


table = DataLoader("boston.csv", shuffle=True).load()
samples = data.TensorDataset(table[:, :-1], table[:, -1:])
batches = data.DataLoader(samples, batch_size=10, shuffle=True)

regression = nn.Linear(table.size(1) - 1, 1)
adam = optim.Adam(regression.parameters(), lr=0.01)
for epoch in range(20):
    for features, price in batches:
        adam.zero_grad()
        nn.functional.l1_loss(regression(features), price).backward()
        adam.step()
