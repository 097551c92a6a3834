"""A generator from which more is drawn than orders stays equal on all processes: workers' noise is, too, and that is said."""

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

torch.manual_seed(0)
g = torch.Generator().manual_seed(0)
x = torch.randn(96, 6, generator=g)
y = (x[:, 0] > 0).long()


class Noisy(Dataset):
    def __len__(self):
        return len(x)

    def __getitem__(self, i):
        return x[i] + 0.1 * torch.randn(6), y[i]


loader = DataLoader(Noisy(), batch_size=12, shuffle=True, num_workers=2, generator=g)
model = nn.Linear(6, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for a, b in loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(a), b)
        loss.backward()
        optimizer.step()
