"""What is printed is changed in the same statement: taken out of the print, the change would come first."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

train_loader = DataLoader(TensorDataset(torch.randn(200, 8), torch.randn(200, 1)), batch_size=20, shuffle=True)
model = nn.Linear(8, 1)
criterion = nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
rates = [0.1, 0.05, 0.01]

while rates:
    print(len(rates), "left; now", rates.pop())
    for x, y in train_loader:
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        optimizer.step()
