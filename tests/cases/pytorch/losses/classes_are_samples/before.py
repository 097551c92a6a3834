"""A transposed cross entropy takes the softmax over the samples of the batch."""
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(48, 6)
y = (x[:, 0] > 0).long()
loader = DataLoader(TensorDataset(x, y), batch_size=12)
model = nn.Linear(6, 3)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for xb, yb in loader:
        out = model(xb)
        loss = F.cross_entropy(out.T, F.one_hot(yb, 3).float().T)
        opt.zero_grad()
        loss.backward()
        opt.step()
