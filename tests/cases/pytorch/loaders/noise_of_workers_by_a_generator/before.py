"""Workers get their seed from the generator that the loader is given: other noise on each process, as without one."""

import random

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


def seed_worker(worker_id):
    seed = torch.initial_seed() % 2**32
    np.random.seed(seed)
    random.seed(seed)


torch.manual_seed(0)
x = torch.randn(96, 6)
y = (x[:, 0] > 0).long()


class Noisy(Dataset):
    def __len__(self):
        return len(x)

    def __getitem__(self, i):
        return x[i] + float(np.random.normal(0, 0.1)), y[i]


g = torch.Generator()
g.manual_seed(0)
train_loader = DataLoader(
    Noisy(), batch_size=12, shuffle=True, num_workers=2, worker_init_fn=seed_worker, generator=g
)
test_loader = DataLoader(Noisy(), batch_size=24, num_workers=2, worker_init_fn=seed_worker, generator=g)
model = nn.Linear(6, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for a, b in train_loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(a), b)
        loss.backward()
        optimizer.step()
    correct = 0
    with torch.no_grad():
        for a, b in test_loader:
            correct += (model(a).argmax(1) == b).sum().item()
    print(epoch, correct)
