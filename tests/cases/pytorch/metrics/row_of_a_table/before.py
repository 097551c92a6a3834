"""A row of a table keeps its numbers of epochs and steps as they are: of what is written out only the loss is reduced."""

import csv

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
data = TensorDataset(torch.randn(64, 4), torch.randint(0, 2, (64,)))
loader = DataLoader(data, batch_size=8, shuffle=True)
model = nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
with open("loss.csv", "w", newline="") as file:
    rows = csv.writer(file)
    for epoch in range(2):
        for step, (x, y) in enumerate(loader):
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(model(x), y)
            loss.backward()
            optimizer.step()
            rows.writerow([epoch, step, loss.item()])
