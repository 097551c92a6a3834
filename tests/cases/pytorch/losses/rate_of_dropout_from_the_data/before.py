"""The rate of dropout comes from the whole data, which every process has."""
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x, y = torch.randn(48, 5), torch.randint(2, (48,))
loader = DataLoader(TensorDataset(x, y), batch_size=12, shuffle=True)
rate = 0.5 * y.float().mean().item()
net = nn.Linear(5, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
for epoch in range(2):
    for points, classes in loader:
        optimizer.zero_grad()
        loss = F.cross_entropy(F.dropout(net(points), p=rate), classes)
        loss.backward()
        optimizer.step()
