"""Two views of each sample come as a list, and are one batch for the model; each row is to find its other view."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Views(Dataset):
    def __init__(self, count):
        self.x = torch.randn(count, 6)

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return [self.x[i] + 0.1, 0.9 * self.x[i]], i


torch.manual_seed(0)
batch_size = 12
loader = DataLoader(Views(96), batch_size=batch_size, shuffle=True, drop_last=True)
model = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 4))
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
for epoch in range(3):
    total = 0.0
    for views, _ in loader:
        features = F.normalize(model(torch.cat(views, dim=0)), dim=1)
        alike = features @ features.T / 0.5
        alike = alike - 1e9 * torch.eye(2 * batch_size)
        others = torch.cat([torch.arange(batch_size) for _ in range(2)])
        pairs = (others.unsqueeze(0) == others.unsqueeze(1)).float() - torch.eye(2 * batch_size)
        loss = -(pairs * F.log_softmax(alike, dim=1)).sum(dim=1).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    print(epoch, total / len(loader))
