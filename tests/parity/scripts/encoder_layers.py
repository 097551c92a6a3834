"""Layers of a Transformer with dropout in their attention, which PyTorch calls with all its arguments by position."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(3)
texts = torch.randn(96, 5, 8)
labels = (texts.mean(dim=(1, 2)) > 0).long()
loader = DataLoader(TensorDataset(texts, labels), batch_size=16, shuffle=True)
encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, 16, dropout=0.1, batch_first=True), 2)
model = nn.Sequential(encoder, nn.Flatten(), nn.Linear(40, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

for epoch in range(2):
    model.train()
    total = 0.0
    for x, y in loader:
        loss = nn.functional.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    print(f"epoch {epoch} loss {total / len(loader):.4f}")
