"""The names of parameters are those of the bare model, in a function that is given the wrapped one; their number, too."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def train(net, loader, optimizer):
    net.train()
    for (x,) in loader:
        optimizer.zero_grad()
        loss = ((net(x) - x) ** 2).mean()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimizer.step()
    for name, parameter in net.named_parameters():
        if name.startswith("0."):
            print(name, tuple(parameter.shape))
    print(len(list(net.modules())))


loader = DataLoader(TensorDataset(torch.randn(64, 4)), batch_size=8, shuffle=True)
model = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 4))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    train(model, loader, optimizer)
