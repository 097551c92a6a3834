"""Each step trains on the whole data set: each process keeps its rows of it."""
import torch
import torch.nn as nn

x = torch.linspace(-1, 1, 100).reshape(-1, 1)
y = x.pow(2) + 0.2 * torch.rand(x.size())
net = nn.Sequential(nn.Linear(1, 10), nn.ReLU(), nn.Linear(10, 1))
optimizer = torch.optim.SGD(net.parameters(), lr=0.2)
loss_func = nn.MSELoss()
for t in range(200):
    prediction = net(x)
    loss = loss_func(prediction, y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())
