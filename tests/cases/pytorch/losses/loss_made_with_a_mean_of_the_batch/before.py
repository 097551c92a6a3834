"""A loss is made in each step with the mean size of the inputs of the batch."""
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
        criterion = nn.HuberLoss(delta=points.abs().mean().item())
        loss = criterion(net(points)[:, 0], classes.float())
        loss.backward()
        optimizer.step()
