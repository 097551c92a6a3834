"""Predictions of the test set are written to a CSV in the order of the data: every process predicts all, rank 0 writes."""
import pandas as pd
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
train_loader = DataLoader(TensorDataset(torch.randn(512, 8), torch.randn(512, 1)), batch_size=32, shuffle=True)
test_loader = DataLoader(TensorDataset(torch.randn(50, 8)), batch_size=16, shuffle=False)
model = nn.Linear(8, 1)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for epoch in range(5):
    for x, y in train_loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()

predictions = []
with torch.no_grad():
    for (x,) in test_loader:
        predictions.append(model(x))
predictions = torch.cat(predictions).squeeze(1).numpy()
submission = pd.DataFrame({"id": range(len(predictions)), "target": predictions})
submission.to_csv("submission.csv", index=False)
