"""A file has a tensor that the model is called with: it goes to each process's own GPU, where it was saved from one."""

import os

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cuda:0" if torch.cuda.is_available() else "cpu")
torch.manual_seed(0)
x = torch.randn(64, 8)
loader = DataLoader(TensorDataset(x, (x[:, 0] > 0).long()), batch_size=8, shuffle=True)
net = nn.Linear(8, 2).to(device)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
noise = torch.randn(4, 8, device=device)
if os.path.exists("last.tar"):
    last = torch.load("last.tar")
    noise = last["noise"]
    net.load_state_dict(last["net"])
    optimizer.load_state_dict(last["optimizer"])
for epoch in range(2):
    for a, b in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(net(a.to(device)), b.to(device)).backward()
        optimizer.step()
with torch.no_grad():
    print(net(noise).sum().item())
torch.save({"noise": noise, "net": net.state_dict(), "optimizer": optimizer.state_dict()}, "last.tar")
