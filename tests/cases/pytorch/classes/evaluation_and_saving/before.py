"""A trainer class holds model, optimizer and loaders; the epochs are counted in one method, a pass is another."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class Trainer:
    def __init__(self, model, train_data, test_data, lr=0.1):
        self.model = model
        self.criterion = nn.CrossEntropyLoss()
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=lr)
        self.train_loader = DataLoader(train_data, batch_size=16, shuffle=True)
        self.test_loader = DataLoader(test_data, batch_size=16)

    def train_epoch(self, epoch):
        self.model.train()
        total = 0.0
        for x, y in self.train_loader:
            self.optimizer.zero_grad()
            loss = self.criterion(self.model(x), y)
            loss.backward()
            self.optimizer.step()
            total += loss.item()
        return total / len(self.train_loader)

    def evaluate(self):
        self.model.eval()
        correct = 0
        with torch.no_grad():
            for x, y in self.test_loader:
                correct += (self.model(x).argmax(1) == y).sum().item()
        return correct / len(self.test_loader.dataset)

    def fit(self, epochs):
        for epoch in range(epochs):
            loss = self.train_epoch(epoch)
            print(f"epoch {epoch}: loss {loss:.4f}, accuracy {self.evaluate():.3f}")
        torch.save(self.model.state_dict(), "model.pt")


torch.manual_seed(0)
x = torch.randn(320, 8)
y = (x.sum(1) > 0).long()
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 2))
trainer = Trainer(model, TensorDataset(x[:256], y[:256]), TensorDataset(x[256:], y[256:]))
trainer.fit(3)
