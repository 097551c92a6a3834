"""Targets and predictions have as many dimensions where they meet."""

import torch
from sklearn.datasets import load_diabetes
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x, y = load_diabetes(return_X_y=True)
data = TensorDataset(torch.tensor(x, dtype=torch.float32), torch.tensor(y / 100, dtype=torch.float32))
loader = DataLoader(data, batch_size=32, shuffle=True)
model = nn.Sequential(nn.Linear(10, 16), nn.ReLU(), nn.Linear(16, 1))
criterion = nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)

for epoch in range(3):
    for inputs, targets in loader:
        optimizer.zero_grad()
        predictions = model(inputs)
        loss = criterion(predictions.squeeze(), targets) + criterion(predictions, targets.unsqueeze(1))
        loss += ((predictions[:, 0] - targets) ** 2 * (1 + targets)).mean() + criterion(predictions.view(-1), targets)
        loss.backward()
        optimizer.step()
