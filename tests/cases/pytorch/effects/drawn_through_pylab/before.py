"""Curves through matplotlib.pylab, which has the functions of pyplot."""
import matplotlib
matplotlib.use("Agg")
import matplotlib.pylab as plt
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x, y = torch.randn(64, 10), torch.randint(0, 3, (64,))
loader = DataLoader(TensorDataset(x, y), batch_size=16, shuffle=True)
net = nn.Linear(10, 3)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
losses = []
for epoch in range(2):
    total = 0.0
    for a, b in loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(net(a), b)
        loss.backward()
        optimizer.step()
        total += loss.item()
    losses.append(total / len(loader))
    print(losses[-1])
plt.figure()
plt.plot(losses)
plt.savefig("losses.png")
plt.show()
