"""Projections behind a batch normalisation are compared; the mask is made with the batch size of the script."""
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(12, 16)
        self.head = nn.Sequential(nn.Linear(16, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Linear(16, 8))

    def forward(self, x):
        found = self.body(x)
        return F.normalize(found, dim=-1), F.normalize(self.head(found), dim=-1)


torch.manual_seed(0)
batch_size = 32
first = torch.randn(640, 12)
views = TensorDataset(first, first + 0.1 * torch.randn(640, 12))
loader = DataLoader(views, batch_size=batch_size, shuffle=True, drop_last=True)
model = Encoder()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
for epoch in range(3):
    total = 0.0
    for one, other in loader:
        _, out_1 = model(one)
        _, out_2 = model(other)
        out = torch.cat([out_1, out_2], dim=0)
        alike = torch.exp(torch.mm(out, out.t().contiguous()) / 0.5)
        mask = (torch.ones_like(alike) - torch.eye(2 * batch_size)).bool()
        alike = alike.masked_select(mask).view(2 * batch_size, -1)
        pairs = torch.exp(torch.sum(out_1 * out_2, dim=-1) / 0.5)
        pairs = torch.cat([pairs, pairs], dim=0)
        loss = (-torch.log(pairs / alike.sum(dim=-1))).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    print(epoch, total / len(loader))
