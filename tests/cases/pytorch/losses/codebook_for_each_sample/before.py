"""A codebook is repeated for each sample, whose places are compared with it by ``cdist``; nearest codes are picked."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Quantizer(nn.Module):
    def __init__(self, count, size):
        super().__init__()
        self.embedding = nn.Embedding(count, size)

    def forward(self, x):
        B, C, H, W = x.shape
        x = x.permute(0, 2, 3, 1)
        x = x.reshape(x.size(0), -1, x.size(-1))
        distances = torch.cdist(x, self.embedding.weight[None, :].repeat((x.size(0), 1, 1)))
        again = torch.cdist(x, self.embedding.weight.unsqueeze(0).repeat(x.size(0), 1, 1))
        codes = torch.index_select(self.embedding.weight, 0, torch.argmin(distances, dim=-1).view(-1))
        x = x.reshape((-1, x.size(-1)))
        commitment = torch.mean((codes.detach() - x) ** 2)
        codebook = torch.mean((codes - x.detach()) ** 2)
        codes = x + (codes - x).detach()
        return codes.reshape((B, H, W, C)).permute(0, 3, 1, 2), commitment, codebook + 0.01 * again.mean()


class Network(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Conv2d(1, 4, 4, 2, 1)
        self.quantizer = Quantizer(8, 4)
        self.decoder = nn.ConvTranspose2d(4, 1, 4, 2, 1)

    def forward(self, x):
        codes, commitment, codebook = self.quantizer(self.encoder(x))
        return self.decoder(codes), commitment, codebook


torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.rand(64, 1, 8, 8)), batch_size=8, shuffle=True)
model = Network()
optimizer = torch.optim.Adam(model.parameters(), lr=0.005)
for epoch in range(3):
    total = 0.0
    for (images,) in loader:
        output, commitment, codebook = model(images)
        loss = F.mse_loss(output, images) + codebook + 0.2 * commitment
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item() * len(images)
    print(epoch, total / len(loader.dataset))
