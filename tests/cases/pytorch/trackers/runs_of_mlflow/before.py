"""A tracker without runs that do nothing is rank 0's alone, also as a block."""

import torch
import torch.nn.functional as F
import mlflow
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
data = TensorDataset(torch.randn(64, 4), torch.randint(0, 2, (64,)))
loader = DataLoader(data, batch_size=8, shuffle=True)
model = nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
mlflow.set_experiment("digits")
with mlflow.start_run():
    for epoch in range(2):
        total = 0.0
        for step, (x, y) in enumerate(loader):
            loss = F.cross_entropy(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item()
        mlflow.log_metric("mean", total / len(loader), step=epoch)
        mlflow.pytorch.log_model(model, "model")
