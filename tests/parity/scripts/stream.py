"""A stream that workers share among themselves, evaluated on another one."""

import math

import torch
from torch import nn
from torch.utils.data import DataLoader, IterableDataset, get_worker_info


class Waves(IterableDataset):
    def __init__(self, count, seed):
        self.count, self.seed = count, seed

    def __iter__(self):
        info = get_worker_info()
        first, step = (info.id, info.num_workers) if info is not None else (0, 1)
        for number in range(self.count):
            x = torch.tensor([math.cos(self.seed * number + place) for place in range(4)])
            if number % step == first:
                yield x, torch.sin(x).sum(0, keepdim=True)

    def __len__(self):
        return self.count


torch.manual_seed(3)
train_loader = DataLoader(Waves(106, 1), batch_size=16, num_workers=2, drop_last=True)
test_loader = DataLoader(Waves(50, 2), batch_size=20)
model = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
for epoch in range(2):
    model.train()
    total, seen = 0.0, 0
    for x, y in train_loader:
        loss = nn.functional.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item() * len(x)
        seen += len(x)
    model.eval()
    with torch.no_grad():
        errors = [(model(x) - y).abs().sum().item() for x, y in test_loader]
    print(f"epoch {epoch}: {total / seen:.4f} {sum(errors) / len(test_loader.dataset):.4f}")
