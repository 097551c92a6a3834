"""The loss is that of the samples of a drawn batch whose loss is above the batch's mean."""
import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(0)
x, y = torch.randn(48, 4), torch.randint(3, (48,))
model = nn.Linear(4, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def draw_batch(size):
    rows = torch.randint(len(x), (size,))
    return x[rows], y[rows]


for step in range(12):
    inputs, labels = draw_batch(12)
    each = F.cross_entropy(model(inputs), labels, reduction="none")
    loss = each[each > each.mean()].mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
