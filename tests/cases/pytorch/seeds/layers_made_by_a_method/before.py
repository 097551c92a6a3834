"""Without a seed, layers that a model makes by a method of its own get rank 0's weights with it: no seed is shared."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self, widths):
        super().__init__()
        self.width = 8
        self.layer1 = self.make_layer(widths[0])
        self.layer2 = self.make_layer(widths[1])
        self.drop = nn.Dropout(0.1)
        self.out = nn.Linear(self.width, 2)

    def make_layer(self, width):
        layers = [nn.Linear(self.width, width), nn.ReLU()]
        self.width = width
        return nn.Sequential(*layers)

    def forward(self, x):
        return self.out(self.drop(self.layer2(self.layer1(x))))


loader = DataLoader(TensorDataset(torch.load("x.pt"), torch.load("y.pt")), batch_size=64, shuffle=True)
model = Net([16, 32])
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for x, y in loader:
        loss = F.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
