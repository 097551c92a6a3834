"""Positions are cut from a buffer at the length of the batch; that the cut needs no gradient freezes no parameter."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader


class Positions(nn.Module):
    def __init__(self, length, width):
        super().__init__()
        table = torch.zeros(length, width)
        table[:, 0] = torch.arange(length)
        self.register_buffer("table", table.unsqueeze(0))

    def forward(self, x):
        return x + self.table[:, : x.size(1)].requires_grad_(False)


def padded(samples):
    return nn.utils.rnn.pad_sequence(samples, batch_first=True)


texts = [torch.randint(1, 50, (5 + i % 7,)) for i in range(96)]
loader = DataLoader(texts, batch_size=12, shuffle=True, collate_fn=padded)
embed = nn.Embedding(50, 8, padding_idx=0)
model = nn.Sequential(embed, Positions(64, 8), nn.Linear(8, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for tokens in loader:
        optimizer.zero_grad()
        model(tokens).mean(1).pow(2).mean().backward()
        optimizer.step()
