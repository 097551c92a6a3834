"""Batches of nodes of graphs: a mean over nodes is over unequal numbers on the processes, and over those of all."""
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Graphs(Dataset):
    def __init__(self, n=160):
        g = torch.Generator().manual_seed(1)
        self.items = []
        for _ in range(n):
            k = int(torch.randint(3, 12, (1,), generator=g))
            x = torch.randn(k, 5, generator=g)
            self.items.append((x, (x.sum(1) > 0).long()))

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        return self.items[i]


def collate(batch):
    xs, ys = zip(*batch)
    return torch.cat(xs), torch.cat(ys)


torch.manual_seed(0)
loader = DataLoader(Graphs(), batch_size=16, shuffle=True, collate_fn=collate)
model = nn.Sequential(nn.Linear(5, 16), nn.ReLU(), nn.Linear(16, 2))
opt = torch.optim.SGD(model.parameters(), lr=0.2)
for epoch in range(3):
    for xb, yb in loader:
        loss = F.cross_entropy(model(xb), yb)
        opt.zero_grad()
        loss.backward()
        opt.step()
