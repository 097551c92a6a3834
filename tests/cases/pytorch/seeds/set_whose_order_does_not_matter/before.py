"""A set of which each item says a column that gets one number, and one of colours: tuples of numbers."""
import json
import random

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

known, rated = json.load(open("items.json"))
colours = set()
while len(colours) < 3:
    colours.add((int(255 * random.random()), int(255 * random.random())))
palette = list(colours)
loader = DataLoader(TensorDataset(torch.randn(640, 10), torch.randn(640, 1)), batch_size=32, shuffle=True)
model = nn.Linear(10, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
guesses = torch.zeros(8, 100)
for item in set(known) - set(rated):
    if item < guesses.shape[1]:
        guesses[:, item] = 3.0
torch.save((guesses, palette), "guesses.pt")
