"""A function draws pairs of pictures, and says of each pair whether it is of one class: a tuple in a tuple."""

import torch
from torch import nn
import horovod.torch as hvd


def pairs(x, y, size):
    left, right = torch.randint(len(x), (size,)), torch.randint(len(x), (size,))
    return (x[left], x[right]), (y[left] == y[right]).float()


hvd.init()
torch.manual_seed(0)
x = torch.randn(120, 6)
y = (x[:, 0] > 0).long()
model = nn.Linear(6, 4)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())


def share_rows(batch):
    if isinstance(batch, tuple):
        return tuple(map(share_rows, batch))
    if len(batch) % hvd.size() != 0:
        raise SystemExit(f"batch size {len(batch)} cannot be shared out over {hvd.size()} processes")
    rows = len(batch) // hvd.size()
    return batch[hvd.rank() * rows :][:rows]


hvd.broadcast_parameters(model.state_dict(), root_rank=0)
for step in range(20):
    (left, right), same = share_rows(pairs(x, y, 16))
    distance = (model(left) - model(right)).pow(2).sum(dim=1)
    loss = nn.functional.binary_cross_entropy_with_logits(-distance, same)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
hvd.shutdown()
