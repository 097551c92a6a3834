"""Epoch losses are kept in lists, plotted once at the end: the reduced values enter the lists, rank 0 draws."""
import matplotlib.pyplot as plt
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

x = torch.linspace(0, 6, 700).unsqueeze(1)
data = TensorDataset(x, torch.sin(x))
train_dl = DataLoader(data, batch_size=35, shuffle=True)
torch.manual_seed(0)
val_x = torch.rand(100, 1) * 6
val_dl = DataLoader(TensorDataset(val_x, torch.sin(val_x)), batch_size=50)
model = nn.Sequential(nn.Linear(1, 32), nn.Tanh(), nn.Linear(32, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
criterion = nn.MSELoss()
train_losses, val_losses = [], []

for epoch in range(40):
    model.train()
    batch_losses = 0.0
    for xb, yb in train_dl:
        optimizer.zero_grad()
        loss = criterion(model(xb), yb)
        loss.backward()
        optimizer.step()
        batch_losses += loss.item()
    train_losses.append(batch_losses / len(train_dl))
    model.eval()
    val_loss = 0.0
    with torch.no_grad():
        for xb, yb in val_dl:
            val_loss += criterion(model(xb), yb).item()
    val_losses.append(val_loss / len(val_dl))

plt.plot(train_losses, label='train')
plt.plot(val_losses, label='validation')
plt.legend()
plt.savefig('losses.png')
plt.show()
