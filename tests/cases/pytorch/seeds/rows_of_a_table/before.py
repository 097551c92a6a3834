"""pandas draws rows by NumPy's numbers: a table is split alike on all processes."""

import pandas as pd
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

table = pd.read_csv("data.csv")
train = table.sample(frac=0.8)
valid = table.drop(train.index).sample(100)
features, labels = torch.tensor(train[["a", "b"]].values).float(), torch.tensor(train["label"].values)
loader = DataLoader(TensorDataset(features, labels), batch_size=8, shuffle=True)
model = nn.Linear(2, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for inputs, targets in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(inputs), targets).backward()
        optimizer.step()
    with torch.no_grad():
        outputs = model(torch.tensor(valid[["a", "b"]].values).float())
    print((outputs.argmax(1) == torch.tensor(valid["label"].values)).float().mean().item())
