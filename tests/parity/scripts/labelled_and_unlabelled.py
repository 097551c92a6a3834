"""Batches of labelled samples and of two views of unlabelled ones go through a network together, as FixMatch does."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, Dataset, TensorDataset


class Unlabelled(Dataset):
    def __init__(self, count):
        self.x = torch.randn(count, 8)

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return (self.x[i], self.x[i].flip(0)), 0


torch.manual_seed(0)
labelled = DataLoader(
    TensorDataset(torch.randn(64, 8), torch.randint(4, (64,))), batch_size=8, shuffle=True, drop_last=True
)
unlabelled = DataLoader(Unlabelled(192), batch_size=24, shuffle=True, drop_last=True)
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 4))
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
for epoch in range(3):
    for (inputs_x, targets_x), ((weak, strong), _) in zip(labelled, unlabelled):
        batch_size = inputs_x.shape[0]
        logits = model(torch.cat((inputs_x, weak, strong)))
        logits_x = logits[:batch_size]
        logits_weak, logits_strong = logits[batch_size:].chunk(2)
        supervised = F.cross_entropy(logits_x, targets_x)
        guesses = torch.softmax(logits_weak.detach(), dim=-1)
        chances, targets = torch.max(guesses, dim=-1)
        mask = chances.ge(0.3).float()
        unsupervised = (F.cross_entropy(logits_strong, targets, reduction="none") * mask).mean()
        loss = supervised + unsupervised
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(epoch, loss.item())
