"""The model has a method that trains it: what it calls of itself there is the forward pass of the training step."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Regressor(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
        self.optimizer = torch.optim.SGD(self.parameters(), lr=0.1)
        self.criterion = nn.MSELoss()

    def forward(self, x):
        return self.net(x)

    def fit(self, loader, epochs):
        for epoch in range(epochs):
            total = 0.0
            for x, y in loader:
                self.optimizer.zero_grad()
                loss = self.criterion(self(x), y)
                loss.backward()
                self.optimizer.step()
                total += loss.item()
            print(epoch, total / len(loader))


data = TensorDataset(torch.randn(64, 4), torch.randn(64, 1))
loader = DataLoader(data, batch_size=8, shuffle=True)
model = Regressor()
model.fit(loader, 3)
torch.save(model.state_dict(), "model.pt")
