"""Labelled samples and two views of unlabelled ones are one batch for the network, which is cut apart by their numbers."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset, TensorDataset


class Unlabelled(Dataset):
    def __init__(self, count):
        self.x = torch.randn(count, 8)

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return (self.x[i], self.x[i].flip(0)), 0


labelled = DataLoader(TensorDataset(torch.randn(64, 8), torch.randint(4, (64,))), batch_size=8, shuffle=True)
unlabelled = DataLoader(Unlabelled(448), batch_size=56, shuffle=True)
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 4))
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
for epoch in range(3):
    for (inputs_x, targets_x), ((inputs_u_w, inputs_u_s), _) in zip(labelled, unlabelled):
        batch_size = inputs_x.shape[0]
        inputs = torch.cat((inputs_x, inputs_u_w, inputs_u_s))
        logits = model(inputs)
        logits_x = logits[:batch_size]
        logits_u_w, logits_u_s = logits[batch_size:].chunk(2)
        loss_x = F.cross_entropy(logits_x, targets_x)
        chances, targets_u = torch.max(torch.softmax(logits_u_w.detach(), dim=-1), dim=-1)
        mask = chances.ge(0.95).float()
        loss_u = (F.cross_entropy(logits_u_s, targets_u, reduction="none") * mask).mean()
        loss = loss_x + loss_u
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
