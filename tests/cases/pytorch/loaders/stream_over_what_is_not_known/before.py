"""A stream over the rows of a library, of which nothing is known: whether they are equal everywhere, a run shows."""
import tables
import torch
from torch import nn
from torch.utils.data import DataLoader, IterableDataset


class Lines(IterableDataset):
    def __init__(self, rows):
        self.rows = rows

    def __iter__(self):
        for number, row in enumerate(self.rows):
            yield torch.tensor([number / 100, float(row)]), torch.tensor([1.0])


loader = DataLoader(Lines(tables.rows("numbers")), batch_size=16)
model = nn.Linear(2, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for x, y in loader:
        loss = nn.functional.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
