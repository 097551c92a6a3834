"""A function that is called in each step gives the data another order, so a share of it would be of the first one."""

import torch
from torch import nn

torch.manual_seed(0)
x = torch.linspace(-1, 1, 100).unsqueeze(1)
y = x.pow(2) + 0.2 * torch.rand(x.size())
net = nn.Sequential(nn.Linear(1, 10), nn.ReLU(), nn.Linear(10, 1))
optimizer = torch.optim.SGD(net.parameters(), lr=0.2)
loss_func = nn.MSELoss()


def put_in_order():
    global x, y
    order = torch.randperm(100)
    x, y = x[order], y[order]


def fit():
    for t in range(100):
        put_in_order()
        loss = loss_func(net(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


fit()
