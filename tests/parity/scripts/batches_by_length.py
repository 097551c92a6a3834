"""A batch sampler of the script's own puts sequences of like length together, in batches of unlike sizes."""

import random

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, Dataset, Sampler


class Sequences(Dataset):
    def __init__(self):
        self.lengths = [2 + at * 7 % 5 for at in range(150)]
        self.values = torch.randn(150, 6)

    def __len__(self):
        return len(self.lengths)

    def __getitem__(self, index):
        values = self.values[index, : self.lengths[index]]
        return values.unsqueeze(1), values.sum().reshape(1)


class ByLength(Sampler):
    def __init__(self, lengths, size):
        self.groups = {}
        self.size = size
        for at, length in enumerate(lengths):
            self.groups.setdefault(length, []).append(at)

    def __iter__(self):
        batches = []
        for group in self.groups.values():
            random.shuffle(group)
            batches += [group[at : at + self.size] for at in range(0, len(group), self.size)]
        random.shuffle(batches)
        return iter(batches)

    def __len__(self):
        return sum(-(-len(group) // self.size) for group in self.groups.values())


random.seed(2)
torch.manual_seed(2)
data = Sequences()
loader = DataLoader(data, batch_sampler=ByLength(data.lengths, 8))
model = nn.Linear(1, 4)
head = nn.Linear(4, 1)
optimizer = torch.optim.Adam([*model.parameters(), *head.parameters()], lr=0.02)
for epoch in range(3):
    for x, y in loader:
        optimizer.zero_grad()
        loss = F.mse_loss(head(torch.tanh(model(x)).sum(1)), y)
        loss.backward()
        optimizer.step()
