"""An object of the script's own makes an epoch of batches each time a loop begins."""

import numpy as np
import torch
from torch import nn
import horovod.torch as hvd


class Batches:
    def __init__(self, features, labels, size):
        self.features, self.labels, self.size = features, labels, size

    def __len__(self):
        return -(-len(self.features) // self.size)

    def __iter__(self):
        order = np.random.permutation(len(self.features))
        for start in range(0, len(order), self.size):
            rows = order[start : start + self.size]
            yield self.features[rows], self.labels[rows]


hvd.init()
np.random.seed(1)
torch.manual_seed(1)
x = torch.randn(120, 6)
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
    for number, (features, labels) in enumerate((tuple(map(fill_and_share_rows, batch)) for batch in batches)):
        optimizer.zero_grad()
        loss = criterion(model(features), labels)
        loss.backward()
        optimizer.step()
    if hvd.rank() == 0:
        print(f"epoch {epoch}: {len(batches)} batches")
hvd.shutdown()
