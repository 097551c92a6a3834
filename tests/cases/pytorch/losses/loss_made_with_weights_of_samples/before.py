"""A loss is made in each step with a weight for each sample of the batch, which every process has of its own samples."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x, y = torch.randn(48, 5), torch.randint(3, (48,))
loader = DataLoader(TensorDataset(x, y), batch_size=12, shuffle=True)
net = nn.Linear(5, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
for epoch in range(2):
    for points, classes in loader:
        optimizer.zero_grad()
        criterion = nn.BCEWithLogitsLoss(weight=(classes > 0).float())
        loss = criterion(net(points)[:, 0], (classes > 1).float())
        loss.backward()
        optimizer.step()
