"""A layer that only the first epochs use: with momentum, a gradient of zero is not the same as none."""
import torch
from torch import nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
data = torch.randn(640, 8)
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
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
loader = DataLoader(TensorDataset(data, labels), batch_size=32)
for epoch in range(6):
    for x, y in loader:
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x, epoch < 2), y)
        loss.backward()
        optimizer.step()
    print(epoch, sum(p.sum().item() for p in model.extra.parameters()))
