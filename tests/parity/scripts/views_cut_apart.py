"""Two views of each sample go through a network in one batch, and what it gives is cut apart again in several ways."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Views(Dataset):
    def __init__(self, count):
        self.x = torch.randn(count, 6)
        self.y = torch.randint(4, (count,))

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return [self.x[i] + 0.1, 0.9 * self.x[i]], self.y[i]


class Network(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(6, 16)
        self.second = nn.Linear(16, 16)
        self.classes = nn.Linear(16, 4)

    def forward(self, x):
        x = F.relu(self.first(x))
        x = x + F.relu(self.second(x))
        x = x.view(x.size(0), -1)
        return x / x.norm(dim=1, keepdim=True), self.classes(x)


def contrasted(features, labels):
    count = features.shape[0]
    if labels.shape[0] != count:
        raise ValueError("a label for each sample is needed")
    labels = labels.contiguous().view(-1, 1)
    mask = torch.eq(labels, labels.T).float().repeat(2, 2)
    rows = torch.cat(torch.unbind(features, dim=1), dim=0)
    alike = rows @ rows.T / 0.5
    others = torch.ones_like(mask).scatter(1, torch.arange(2 * count).view(-1, 1), 0)
    chances = alike - torch.log((torch.exp(alike) * others).sum(1, keepdim=True))
    return -((mask * others * chances).sum(1) / (mask * others).sum(1).clamp(min=1)).mean()


torch.manual_seed(0)
loader = DataLoader(Views(96), batch_size=12, shuffle=True, drop_last=True)
model = Network()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
for epoch in range(3):
    total = 0.0
    for images, labels in loader:
        n = labels.shape[0]
        features, scores = model(torch.cat([images[0], images[1]], dim=0))
        one, other = torch.split(features, [n, n], dim=0)
        near, far = features.chunk(2)
        loss = contrasted(torch.cat([one.unsqueeze(1), other.unsqueeze(1)], dim=1), labels)
        loss = loss + F.cross_entropy(scores[:n], labels) + F.mse_loss(scores[n:], scores[:n].detach())
        loss = loss - 0.1 * F.cosine_similarity(near, far.detach(), dim=1).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    print(epoch, total / len(loader))
