"""A function trains on all data of the module in each step."""

import torch
from torch import nn

torch.manual_seed(0)
x = torch.linspace(-1, 1, 100).unsqueeze(1)
y = x.pow(2) + 0.2 * torch.rand(x.size())


def fit_and_save():
    net = nn.Sequential(nn.Linear(1, 10), nn.ReLU(), nn.Linear(10, 1))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.2)
    loss_func = nn.MSELoss()
    for t in range(100):
        prediction = net(x)
        loss = loss_func(prediction, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    torch.save(net.state_dict(), "net.pt")


fit_and_save()
