"""The layers of a plain list are parameters of the model by what is made of them, and are sent to other processes."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(8, 16)
        self.hidden = []
        for _ in range(3):
            self.hidden.append(nn.Sequential(nn.Linear(16, 16), nn.Tanh()))
        self.middle = nn.Sequential(*self.hidden)
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
