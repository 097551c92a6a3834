"""ReduceLROnPlateau decides on the mean training loss: a local value would let the rates drift apart."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
train_dl = DataLoader(TensorDataset(torch.randn(320, 10), torch.randn(320, 1)), batch_size=32, shuffle=True)
model = nn.Linear(10, 1)
optimizer = torch.optim.Adam(model.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, patience=5)
for epoch in range(20):
    losses = []
    for x, y in train_dl:
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        losses.append(loss.item())
        loss.backward()
        optimizer.step()
    mean_loss = sum(losses) / len(losses)
    scheduler.step(mean_loss)
    print(f'Loss at epoch {epoch} was {mean_loss:.5f}')
