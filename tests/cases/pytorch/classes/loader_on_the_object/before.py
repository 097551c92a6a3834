"""A class holds the model, the loader and the training step."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class Trainer:
    def __init__(self, model, loader, lr):
        self.model = model
        self.loader = loader
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=lr)
        self.criterion = nn.MSELoss()

    def train_epoch(self):
        total = 0.0
        for x, y in self.loader:
            self.optimizer.zero_grad()
            loss = self.criterion(self.model(x), y)
            loss.backward()
            self.optimizer.step()
            total += loss.item()
        return total / len(self.loader)

    def fit(self, epochs):
        for epoch in range(epochs):
            print(epoch, self.train_epoch())


loader = DataLoader(TensorDataset(torch.randn(320, 10), torch.randn(320, 1)), batch_size=32, shuffle=True)
Trainer(nn.Linear(10, 1), loader, 0.01).fit(5)
