"""How often a layer is used is drawn by numbers that no seed makes equal, and may be never."""
import random
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(10, 10)
        self.out = nn.Linear(10, 3)

    def forward(self, x):
        for _ in range(random.randint(0, 2)):
            x = torch.relu(self.layer(x))
        return self.out(x)


torch.manual_seed(0)
x, y = torch.randn(64, 10), torch.randint(0, 3, (64,))
loader = DataLoader(TensorDataset(x, y), batch_size=16, shuffle=True)
net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(2):
    for a, b in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(net(a), b).backward()
        optimizer.step()
