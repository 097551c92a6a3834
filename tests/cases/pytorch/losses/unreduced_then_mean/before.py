"""reduction='none' followed by .mean(): a mean after all."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(320, 4), torch.rand(320, 1).round()), batch_size=32, shuffle=True)
model = nn.Linear(4, 1)
criterion = nn.BCEWithLogitsLoss(reduction='none')
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for epoch in range(4):
    for x, y in loader:
        loss = criterion(model(x), y).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
