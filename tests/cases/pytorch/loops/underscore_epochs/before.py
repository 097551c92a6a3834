"""The epoch variable is _ : set_epoch uses it as it is."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

ds = TensorDataset(torch.randn(256, 10), torch.randn(256, 1))
dl = DataLoader(ds, batch_size=16, shuffle=True)
lin = nn.Linear(10, 1)
opt = torch.optim.Adagrad(lin.parameters(), lr=0.1)
for _ in range(7):
    for xb, yb in dl:
        opt.zero_grad()
        ((lin(xb) - yb) ** 2).mean().backward()
        opt.step()
torch.save(lin.state_dict(), 'lin.pth')
