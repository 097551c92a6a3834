"""A layer is as wide as the features that a network with random weights makes of zeros: a size, equal on all processes."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self, shape):
        super().__init__()
        self.features = nn.Sequential(nn.Conv2d(1, 4, 3), nn.ReLU())
        with torch.no_grad():
            self.width = self.features(torch.zeros(*shape)).view(-1).shape[0]
        self.head = nn.Linear(self.width, 3)

    def forward(self, x):
        return self.head(self.features(x).flatten(1))


torch.manual_seed(0)
net = Net((1, 1, 6, 6))
optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
loader = DataLoader(TensorDataset(torch.randn(48, 1, 6, 6), torch.randint(3, (48,))), batch_size=12, shuffle=True)
for epoch in range(2):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(net(x), y).backward()
        optimizer.step()
