"""Each centre is drawn to the nearest sample of the batch: behind the centres, samples are the second dimension."""

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
        far = (self.codebook.unsqueeze(1) - z).pow(2).sum(-1).min(dim=1).values.mean()
        return self.decoder(z), far


torch.manual_seed(0)
data = TensorDataset(torch.randn(64, 8))
loader = DataLoader(data, batch_size=8, shuffle=True)
model = Net()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
for epoch in range(2):
    for (x,) in loader:
        recon, far = model(x)
        loss = F.mse_loss(recon, x) + far
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
