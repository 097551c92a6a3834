"""Each batch has another length: the program stops where the processes cannot share one out evenly."""
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(0)
data = torch.randn(600, 8)
labels = (data[:, 0] > 0).long()
model = nn.Linear(8, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def get_batch():
    size = int(torch.randint(8, 33, (1,)))
    rows = torch.randint(0, len(data), (size,))
    return data[rows], labels[rows]


for step in range(50):
    x, y = get_batch()
    loss = F.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 10 == 0:
        print(step, loss.item())
