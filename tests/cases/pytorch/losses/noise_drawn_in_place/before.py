"""A variational autoencoder that draws its noise into a new tensor: another for each sample, so samples stay apart."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


class VAE(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = nn.Linear(20, 16)
        self.mean = nn.Linear(16, 4)
        self.logvar = nn.Linear(16, 4)
        self.out = nn.Linear(4, 20)

    def forward(self, x):
        h = F.relu(self.hidden(x))
        mean, logvar = self.mean(h), self.logvar(h)
        std = logvar.mul(0.5).exp_()
        eps = torch.FloatTensor(std.size()).normal_()
        return torch.sigmoid(self.out(eps.mul(std).add_(mean))), mean, logvar


torch.manual_seed(3)
loader = DataLoader(TensorDataset(torch.rand(500, 20)), batch_size=50, shuffle=True)
model = VAE()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
for epoch in range(2):
    total = 0
    for (x,) in loader:
        recon, mean, logvar = model(x)
        divergence = -0.5 * torch.sum(1 + logvar - mean.pow(2) - logvar.exp())
        loss = F.binary_cross_entropy(recon, x, reduction="sum") + divergence
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    print(epoch, total / len(loader.dataset))
