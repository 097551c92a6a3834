"""Several things are plotted by one statement, and parts of figures are made that nothing has been added to yet."""

import matplotlib.pyplot as plt
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(320, 64)
loader = DataLoader(TensorDataset(x, (x[:, 0] > 0).long()), batch_size=32, shuffle=True)
model = nn.Linear(64, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for inputs, labels in loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(inputs), labels)
        loss.backward()
        optimizer.step()
figure, axes = plt.subplots(1, 1)
axes.xaxis.set_major_formatter(plt.FormatStrFormatter("%.0e"))
axes.plot(model.weight.detach()[0])
plt.legend(["weights"]), plt.grid(alpha=0.2)
plt.savefig("weights.png")
