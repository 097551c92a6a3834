"""How often a layer is used is drawn at random for each step, and may be never."""
import random

import torch
from torch import nn

x, y = torch.randn(64, 10), torch.randn(64, 2)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.middle, self.last = nn.Linear(10, 16), nn.Linear(16, 16), nn.Linear(16, 2)

    def forward(self, x):
        h = self.first(x).clamp(min=0)
        for _ in range(random.randint(0, 3)):
            h = self.middle(h).clamp(min=0)
        return self.last(h)


model = Net()
criterion = nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
for step in range(50):
    loss = criterion(model(x), y)
    print(step, loss.item())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
