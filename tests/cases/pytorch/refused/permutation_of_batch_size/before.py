"""A permutation of the global batch does not fit each process's share."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
torch.manual_seed(0)
batch_size = 16
x = torch.randn(64, 4); y = (x.sum(1) > 0).long()
data = TensorDataset(x, y)
loader = DataLoader(data, batch_size=batch_size, shuffle=True)
model = nn.Linear(4, 2)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
crit = nn.CrossEntropyLoss()
steps = len(data) // batch_size
for epoch in range(2):
    total, right, seen = 0.0, 0, 0
    for i, (xb, yb) in enumerate(loader):
        opt.zero_grad()
        p = model(xb)
        loss = crit(p, yb)
        loss.backward()
        opt.step()
        total += loss.item()
        idx = torch.randperm(batch_size)
        q = p[idx]
    print(epoch, total / len(loader))
