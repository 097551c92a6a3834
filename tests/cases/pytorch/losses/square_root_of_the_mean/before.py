"""The root of a mean is no mean over ranks (RMSE as the loss): its gradients do not average."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(320, 10), torch.randn(320, 1)), batch_size=32, shuffle=True)
model = nn.Linear(10, 1)
criterion = nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for epoch in range(4):
    for x, y in loader:
        loss = torch.sqrt(criterion(model(x), y))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
