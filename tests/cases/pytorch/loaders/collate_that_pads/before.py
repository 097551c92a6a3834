"""Sequences are padded to the longest of what the process has of a batch: said, as not every model leaves padding out."""
import torch
import torch.nn as nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader


def collate(samples):
    sequences, labels = zip(*samples)
    return pad_sequence(sequences, batch_first=True), torch.tensor(labels)


torch.manual_seed(0)
data = [(torch.randn(3 + i % 7, 4), i % 2) for i in range(320)]
loader = DataLoader(data, batch_size=32, shuffle=True, collate_fn=collate)
model = nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for x, y in loader:
        loss = nn.functional.cross_entropy(model(x).mean(dim=1), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
