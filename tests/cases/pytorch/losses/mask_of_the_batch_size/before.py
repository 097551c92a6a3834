"""A mask that is made for the batch size before training."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


class NTXent(nn.Module):
    def __init__(self, batch_size, temperature):
        super().__init__()
        self.batch_size = batch_size
        self.temperature = temperature
        self.mask = self.correlated(batch_size)
        self.criterion = nn.CrossEntropyLoss(reduction="sum")

    def correlated(self, batch_size):
        n = 2 * batch_size
        mask = torch.ones((n, n), dtype=bool)
        mask = mask.fill_diagonal_(0)
        for i in range(batch_size):
            mask[i, batch_size + i] = 0
            mask[batch_size + i, i] = 0
        return mask

    def forward(self, z_i, z_j):
        n = 2 * self.batch_size
        z = torch.cat((z_i, z_j), dim=0)
        sim = F.cosine_similarity(z.unsqueeze(1), z.unsqueeze(0), dim=2) / self.temperature
        sim_i_j = torch.diag(sim, self.batch_size)
        sim_j_i = torch.diag(sim, -self.batch_size)
        positive = torch.cat((sim_i_j, sim_j_i), dim=0).reshape(n, 1)
        negative = sim[self.mask].reshape(n, -1)
        labels = torch.zeros(n).to(positive.device).long()
        logits = torch.cat((positive, negative), dim=1)
        return self.criterion(logits, labels) / n


def main():
    torch.manual_seed(0)
    batch_size = 32
    images = torch.rand(1797, 64)
    loader = DataLoader(TensorDataset(images, images.flip(1)), batch_size=batch_size, shuffle=True, drop_last=True)
    model = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 16))
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    criterion = NTXent(batch_size, 0.5)
    for epoch in range(2):
        total = 0
        for x_i, x_j in loader:
            optimizer.zero_grad()
            z_i, z_j = model(x_i), model(x_j)
            loss = criterion(z_i, z_j)
            loss.backward()
            optimizer.step()
            total += loss.item()
        print(epoch, total / len(loader))


main()
