"""Batch averages, a log, a progress bar, a CSV file, a folder for the run; the best model by validation loss is kept."""
import csv
import logging
import os

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from tqdm import tqdm

logging.basicConfig(level=logging.INFO, format='%(message)s')
torch.manual_seed(3)
x = torch.randn(262, 8)
y = (x[:, :2].sum(1) > 0).long()
train_loader = DataLoader(TensorDataset(x[:160], y[:160]), batch_size=24, shuffle=True, drop_last=True)
val_loader = DataLoader(TensorDataset(x[160:], y[160:]), batch_size=20)

model = nn.Sequential(nn.Linear(8, 12), nn.BatchNorm1d(12), nn.Tanh(), nn.Linear(12, 2))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.3)

os.makedirs('run')
best = float('inf')
rows = []
for epoch in range(3):
    model.train()
    train_loss = 0.0
    for inputs, targets in tqdm(train_loader, desc=f'epoch {epoch}'):
        optimizer.zero_grad()
        loss = criterion(model(inputs), targets)
        loss.backward()
        optimizer.step()
        train_loss += loss.item()

    model.eval()
    val_loss, correct = 0.0, 0
    with torch.no_grad():
        for inputs, targets in val_loader:
            outputs = model(inputs)
            val_loss += criterion(outputs, targets).item()
            correct += (outputs.argmax(1) == targets).sum().item()
    val_loss /= len(val_loader)
    print(f'epoch {epoch}: train {train_loss / len(train_loader):.5f}, accuracy {100. * correct / len(val_loader.dataset):.2f} %')
    logging.info('epoch %d: validation loss %.5f', epoch, val_loss)
    rows.append([epoch, val_loss])
    if val_loss < best:
        best = val_loss
        torch.save(model.state_dict(), 'run/best.pt')

with open('run/losses.csv', 'w', newline='') as file:
    csv.writer(file).writerows(rows)
