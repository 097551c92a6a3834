"""An object keeps sums in a dict of its own, and puts them into texts that are shown: each process has a part of them."""

from collections import defaultdict

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
data = TensorDataset(torch.randn(96, 6), torch.rand(96, 1))
loader = DataLoader(data, batch_size=12, shuffle=True)
model = nn.Linear(6, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


class Table:
    def __init__(self):
        self.sums = defaultdict(float)
        self.samples = 0

    def add(self, loss, target):
        self.sums["loss"] += loss.data.cpu().numpy() * target.size(0)
        self.samples += target.size(0)

    def show(self):
        outputs = []
        for k in self.sums.keys():
            outputs.append("{}: {:4f}".format(k, self.sums[k] / self.samples))
        print(", ".join(outputs))


for epoch in range(2):
    table = Table()
    for x, y in loader:
        optimizer.zero_grad()
        loss = F.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        table.add(loss, y)
    table.show()
