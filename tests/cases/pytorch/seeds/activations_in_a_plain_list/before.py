"""Layers without weights in a plain list: nothing is drawn for them, and nothing has to be equal."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(8, 16)
        self.hidden = [nn.ReLU(), nn.Sequential(nn.Tanh(), nn.Dropout(0.0))]
        self.last = nn.Linear(16, 1)

    def forward(self, x):
        h = torch.tanh(self.first(x))
        for layer in self.hidden:
            h = layer(h)
        return self.last(h)


x = torch.linspace(-1, 1, 64 * 8).view(64, 8).sin()
loader = DataLoader(TensorDataset(x, x.sum(1, keepdim=True)), batch_size=16, shuffle=True)
net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(2):
    for inputs, targets in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(net(inputs), targets).backward()
        optimizer.step()
