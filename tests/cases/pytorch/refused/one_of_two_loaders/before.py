"""Which of two loaders the loop goes over is said in its head: the sampler of either has to be told the epoch."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
torch.manual_seed(0)
x = torch.randn(96, 6)
y = (x[:, 0] > 0).long()
one = DataLoader(TensorDataset(x[:48], y[:48]), batch_size=12, shuffle=True)
two = DataLoader(TensorDataset(x[48:], y[48:]), batch_size=12, shuffle=True)
model = nn.Linear(6, 2)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(4):
    for a, b in one if epoch < 2 else two:
        optimizer.zero_grad()
        criterion(model(a), b).backward()
        optimizer.step()
