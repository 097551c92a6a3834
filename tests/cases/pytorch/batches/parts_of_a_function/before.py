"""A function draws pairs of pictures, and says of each pair whether it is of one class: a tuple in a tuple."""

import torch
from torch import nn


def pairs(x, y, size):
    left, right = torch.randint(len(x), (size,)), torch.randint(len(x), (size,))
    return (x[left], x[right]), (y[left] == y[right]).float()


torch.manual_seed(0)
x = torch.randn(120, 6)
y = (x[:, 0] > 0).long()
model = nn.Linear(6, 4)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(20):
    (left, right), same = pairs(x, y, 16)
    distance = (model(left) - model(right)).pow(2).sum(dim=1)
    loss = nn.functional.binary_cross_entropy_with_logits(-distance, same)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
