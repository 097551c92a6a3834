"""Which layer a method of the model uses is a matter of chance: processes would wait for unlike gradients."""
import random

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.one = nn.Linear(10, 3)
        self.other = nn.Linear(10, 3)

    def forward(self, x):
        return self.one(x)

    def scores(self, x):
        if random.random() < 0.5:
            return self.other(x)
        return self.one(x)


random.seed(0)
torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(320, 10), torch.randint(0, 3, (320,))), batch_size=32, shuffle=True)
model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model.scores(x), y).backward()
        optimizer.step()
