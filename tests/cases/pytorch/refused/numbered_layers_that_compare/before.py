"""One of the layers that are registered under numbered names compares the samples of a batch with each other."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Centred(nn.Module):
    def forward(self, x):
        return x - x.median(0).values


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        for i, layer in enumerate([nn.Linear(8, 8), Centred(), nn.Linear(8, 2)]):
            setattr(self, "stage%d" % i, layer)

    def forward(self, x):
        return self.stage2(self.stage1(self.stage0(x)))


torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(96, 8), torch.randint(0, 2, (96,))), batch_size=16, shuffle=True)
model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for x, y in loader:
        loss = nn.functional.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
