"""The module itself has a method that steps its optimizer (model.optimize(x, y))."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(10, 1)
        self.optimizer = torch.optim.SGD(self.parameters(), lr=0.1)

    def forward(self, x):
        return self.fc(x)

    def optimize(self, x, y):
        self.optimizer.zero_grad()
        loss = nn.functional.mse_loss(self(x), y)
        loss.backward()
        self.optimizer.step()
        return loss.item()


net = Net()
for epoch in range(3):
    for x, y in DataLoader(TensorDataset(torch.randn(320, 10), torch.randn(320, 1)), batch_size=32, shuffle=True):
        net.optimize(x, y)
