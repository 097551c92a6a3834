"""A similarity along the dimension of the samples."""
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(320, 6)
t = x[:, :3]
loader = DataLoader(TensorDataset(x, t), batch_size=32, shuffle=True)
model = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 3))
optimizer = torch.optim.SGD(model.parameters(), lr=0.02)
for epoch in range(2):
    for xb, tb in loader:
        out = model(xb)
        loss = 1 - F.cosine_similarity(out, tb, dim=0).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
