"""A workbook is written by a writer, which writes without being told a mode."""
import pandas as pd

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
train_loader = DataLoader(TensorDataset(torch.randn(200, 8), torch.randn(200, 1)), batch_size=20, shuffle=True)
model = nn.Linear(8, 1)
criterion = nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
print("on", next(model.parameters()).device)

for epoch in range(3):
    for x, y in train_loader:
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        optimizer.step()

torch.save(model.state_dict(), "model.pt")
with pd.ExcelWriter("model.xlsx") as workbook:
    pd.DataFrame({"weight": model.weight[0].tolist()}).to_excel(workbook, sheet_name="weights")
