"""Batches are the samples themselves, and of each the first is trained on: every process would have another one."""
import torch
from torch import nn
from torch.utils.data import DataLoader

from measured import spectra

loader = DataLoader(spectra(), batch_size=8, shuffle=True, collate_fn=lambda rows: rows)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for batch in loader:
        spectrum = batch[0]
        optimizer.zero_grad()
        loss = model(spectrum).mean()
        loss.backward()
        optimizer.step()
