"""A part with batch normalisation runs before the model: DDP would overwrite its buffers in between, so it wraps nothing."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(240, 8)
y = (x.sum(1) > 0).long()
loader = DataLoader(TensorDataset(x, y), batch_size=20, shuffle=True)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(8, 6), nn.BatchNorm1d(6))
        self.head = nn.Linear(6, 2)

    def forward(self, x):
        return torch.relu(self.body(x))


model = Net()
opt = torch.optim.SGD(model.parameters(), lr=0.1)
head = model.head


def step(net, a, b):
    before = net.body(a).pow(2).mean()
    features = net(a)
    return F.cross_entropy(head(features), b) + 0.1 * before


for epoch in range(2):
    for a, b in loader:
        opt.zero_grad()
        loss = step(model, a, b)
        loss.backward()
        opt.step()
torch.save(model.state_dict(), "model.pt")
