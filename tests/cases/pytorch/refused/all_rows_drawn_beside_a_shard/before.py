"""A curve of the predictions over all inputs, after training: rank 0 has only its own rows of the predictions."""

import matplotlib.pyplot as plt
import torch
from torch import nn

torch.manual_seed(0)
x = torch.linspace(-1, 1, 100).unsqueeze(1)
y = x.pow(2) + 0.2 * torch.rand(x.size())
net = nn.Sequential(nn.Linear(1, 10), nn.ReLU(), nn.Linear(10, 1))
optimizer = torch.optim.SGD(net.parameters(), lr=0.2)
for step in range(20):
    prediction = net(x)
    loss = nn.functional.mse_loss(prediction, y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
plt.scatter(x.numpy(), y.numpy())
plt.plot(x.numpy(), prediction.detach().numpy(), "r-")
plt.savefig("curve.png")
