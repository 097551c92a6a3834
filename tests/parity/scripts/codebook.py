"""A codebook: each sample takes its nearest code, and each code is drawn to its nearest sample of the batch."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Linear(8, 4)
        self.codebook = nn.Parameter(torch.randn(16, 4))
        self.decoder = nn.Linear(4, 8)

    def forward(self, x):
        z = self.encoder(x)
        codes = self.codebook.unsqueeze(0).expand(x.size(0), -1, -1)
        nearest = torch.cdist(z.unsqueeze(1), codes).squeeze(1).argmin(dim=-1)
        q = F.embedding(nearest, self.codebook)
        fit = F.mse_loss(q, z.detach()) + 0.25 * F.mse_loss(q.detach(), z)
        far = (self.codebook.unsqueeze(1) - z.detach()).pow(2).sum(-1).min(dim=1).values.mean()
        return self.decoder(z + (q - z).detach()), far + fit


torch.manual_seed(0)
data = TensorDataset(torch.randn(64, 8))
loader = DataLoader(data, batch_size=8, shuffle=True)
model = Net()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
for epoch in range(2):
    total = 0.0
    for (x,) in loader:
        recon, far = model(x)
        loss = F.mse_loss(recon, x) + far
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    print(epoch, total / len(loader))
