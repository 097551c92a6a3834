"""A branch of the model that only every other step uses, on batches that are drawn."""
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(0)
data = torch.randn(600, 8)
labels = (data[:, 0] > 0).long()


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(8, 16)
        self.extra = nn.Linear(16, 16)
        self.last = nn.Linear(16, 2)

    def forward(self, x, deep):
        h = F.relu(self.first(x))
        if deep:
            h = F.relu(self.extra(h))
        return self.last(h)


model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(50):
    rows = torch.randint(0, len(data), (32,))
    loss = F.cross_entropy(model(data[rows], step % 2 == 0), labels[rows])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 10 == 0:
        print(step, loss.item())
