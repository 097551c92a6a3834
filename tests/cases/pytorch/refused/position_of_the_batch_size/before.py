"""The whole batch is read by its places, of which each process has its share."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
torch.manual_seed(0)
batch_size = 16
x = torch.randn(64, 4); y = (x.sum(1) > 0).long()
loader = DataLoader(TensorDataset(x, y), batch_size=batch_size, shuffle=True)
model = nn.Linear(4, 2)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for xb, yb in loader:
        opt.zero_grad()
        nn.functional.cross_entropy(model(xb), yb).backward()
        opt.step()
    for i in range(batch_size):
        print(xb[i].shape)
