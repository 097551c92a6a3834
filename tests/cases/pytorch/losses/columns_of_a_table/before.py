"""Columns of a table with the dimension that predictions have."""

import pandas as pd
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
table = pd.read_csv("houses.csv")
prices = table.pop("price").values
data = TensorDataset(
    torch.tensor(table.iloc[:, 1:].values, dtype=torch.float32),
    torch.tensor(table[["rent"]].values, dtype=torch.float32),
    torch.tensor(prices.reshape(-1, 1), dtype=torch.float32),
    torch.tensor(table.iloc[:, 0].values, dtype=torch.float32),
)
loader = DataLoader(data, batch_size=32, shuffle=True)
model = nn.Sequential(nn.Linear(10, 16), nn.ReLU(), nn.Linear(16, 1))
criterion = nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)

for epoch in range(3):
    for x, rent, price, age in loader:
        optimizer.zero_grad()
        prediction = model(x)
        loss = criterion(prediction, rent) + criterion(prediction, price) + criterion(prediction.squeeze(1), age)
        loss.backward()
        optimizer.step()
