"""A table that goes through CSV comes back with a column more: what is read is not what was computed."""
import os
import pandas as pd, torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
torch.manual_seed(0)
if os.path.exists("rows.csv"):
    table = pd.read_csv("rows.csv")
else:
    table = pd.DataFrame({"a": [k / 7 for k in range(64)], "b": [k * k / 9 for k in range(64)]})
    table.to_csv("rows.csv")
x = torch.tensor(table.values, dtype=torch.float32)
loader = DataLoader(TensorDataset(x, x.sum(1, keepdim=True)), batch_size=16, shuffle=True)
model = nn.Linear(x.shape[1], 1)
optimizer = torch.optim.SGD(model.parameters(), lr=1e-6)
for epoch in range(2):
    for a, b in loader:
        loss = nn.functional.mse_loss(model(a), b)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
