"""Each vector of a sample takes the nearest code of a codebook: no sample meets another one, in whatever shape."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Quantizer(nn.Module):
    def __init__(self, size, count):
        super().__init__()
        self.codebook = nn.Embedding(size, count)

    def forward(self, z):
        codes = self.codebook.weight
        distances = torch.cdist(z, codes.unsqueeze(0).expand(z.size(0), -1, -1), p=2)
        q = F.embedding(distances.argmin(dim=-1), codes)
        others = codes[((z.unsqueeze(2) - codes) ** 2).sum(-1).argmin(-1)]
        commitment = F.mse_loss(z, q.detach()) + 0.25 * F.mse_loss(others, z.detach())
        return z + (q - z).detach(), commitment


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Linear(8, 4)
        self.quantizer = Quantizer(16, 4)
        self.decoder = nn.Linear(4, 8)

    def forward(self, x):
        q, commitment = self.quantizer(self.encoder(x))
        return self.decoder(q), commitment


torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(64, 5, 8)), batch_size=8, shuffle=True)
model = Model()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
for epoch in range(2):
    total = 0.0
    for (x,) in loader:
        restored, commitment = model(x)
        loss = F.mse_loss(restored, x) + commitment
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    print(epoch, total / len(loader))
