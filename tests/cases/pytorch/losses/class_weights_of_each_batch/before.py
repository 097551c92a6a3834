"""The classes are weighed by their counts in the batch, which a function of PyTorch is given."""
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x, y = torch.randn(48, 5), torch.randint(3, (48,))
loader = DataLoader(TensorDataset(x, y), batch_size=12, shuffle=True)
net = nn.Linear(5, 3)
optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
for epoch in range(2):
    for points, classes in loader:
        optimizer.zero_grad()
        counts = torch.bincount(classes, minlength=3).float()
        loss = F.cross_entropy(net(points), classes, weight=12 / (counts + 1))
        loss.backward()
        optimizer.step()
