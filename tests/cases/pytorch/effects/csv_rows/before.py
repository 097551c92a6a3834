"""A CSV file is opened for the run and gets a row per epoch: opened, written and closed by rank 0 only."""
import csv
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(320, 10), torch.randn(320, 1)), batch_size=32, shuffle=True)
model = nn.Linear(10, 1)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
log_file = open("log.csv", "w", newline="")
writer = csv.writer(log_file)
writer.writerow(["epoch", "loss"])
for epoch in range(3):
    total = 0.0
    for x, y in loader:
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        total += loss.item()
    writer.writerow([epoch, total / len(loader)])
log_file.close()
