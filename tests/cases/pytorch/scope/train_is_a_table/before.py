"""train is a pandas table and test another: evaluation and training are told by what loops do."""
import pandas as pd
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

train = pd.read_csv("train.csv")
test = pd.read_csv("test.csv")
features = [c for c in train.columns if c != "target"]
dl = DataLoader(TensorDataset(torch.tensor(train[features].values).float(), torch.tensor(train["target"].values).float().unsqueeze(1)),
                batch_size=128, shuffle=True)
model = nn.Sequential(nn.Linear(len(features), 64), nn.ReLU(), nn.Linear(64, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
for epoch in range(5):
    for xb, yb in dl:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(xb), yb).backward()
        optimizer.step()
with torch.no_grad():
    test["prediction"] = model(torch.tensor(test[features].values).float()).squeeze(1).numpy()
test[["id", "prediction"]].to_csv("submission.csv", index=False)
