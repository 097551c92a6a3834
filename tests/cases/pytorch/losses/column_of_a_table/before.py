"""A column of a table has no columns of its own, predictions have one: each target meets all predictions."""

import pandas as pd
import torch
from sklearn.model_selection import train_test_split
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
table = pd.read_csv("houses.csv").dropna()
inputs = table.drop("price", axis=1).values
prices = table["price"].to_numpy()
train, test, train_prices, test_prices = train_test_split(inputs, prices, random_state=0)
data = TensorDataset(torch.tensor(train, dtype=torch.float32), torch.tensor(train_prices, dtype=torch.float32))
loader = DataLoader(data, batch_size=32, shuffle=True)
model = nn.Sequential(nn.Linear(10, 16), nn.ReLU(), nn.Linear(16, 1))
criterion = nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)

for epoch in range(3):
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
