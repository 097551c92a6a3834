"""A model that changes tensors in place, and is tried on one sample before it is trained."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

data = TensorDataset(torch.rand(640, 16))
loader = DataLoader(data, batch_size=32, shuffle=True)


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.middle = nn.Linear(16, 4)
        self.spread = nn.Linear(16, 4)
        self.decode = nn.Linear(4, 16)

    def forward(self, x):
        middle, spread = self.middle(x), self.spread(x)
        noise = torch.randn_like(spread)
        z = noise.mul(spread.mul(0.5).exp_()).add_(middle)
        return torch.sigmoid(self.decode(z)), middle, spread


model = Encoder()
print(model(data[0][0].view(1, -1))[1])
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
for epoch in range(3):
    for (x,) in loader:
        again, middle, spread = model(x)
        divergence = middle.pow(2).add_(spread.exp()).mul_(-1).add_(1).add_(spread).sum().mul_(-0.5)
        loss = (F.mse_loss(again, x, reduction="sum") + divergence) / x.size(0)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
