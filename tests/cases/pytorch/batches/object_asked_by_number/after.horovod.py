"""A loop asks an object of the script's own for its batches by their numbers, until there is none."""

import torch
from torch import nn
import horovod.torch as hvd


class Batches:
    def __init__(self, features, labels, size):
        self.features, self.labels, self.size = features, labels, size

    def __len__(self):
        return len(self.features) // self.size

    def __getitem__(self, number):
        if number >= len(self):
            raise IndexError(number)
        rows = slice(number * self.size, (number + 1) * self.size)
        return self.features[number * self.size : (number + 1) * self.size], self.labels[rows]


hvd.init()
torch.manual_seed(1)
x = torch.randn(128, 6)
y = (x[:, 0] > 0).long()
batches = Batches(x, y, 16)
model = nn.Linear(6, 2)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())


def fill_and_share_rows(batch):
    rows = torch.arange(hvd.rank(), hvd.rank() + len(batch), hvd.size()) % len(batch)
    return batch[rows]


hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(1 + hvd.rank())
for epoch in range(3):
    for features, labels in (tuple(map(fill_and_share_rows, batch)) for batch in batches):
        optimizer.zero_grad()
        loss = criterion(model(features), labels)
        loss.backward()
        optimizer.step()
hvd.shutdown()
