"""A class holds everything: loaders, model, optimizer, schedule; sums live on the object, the best weights are kept."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 3))

    def forward(self, x):
        return self.layers(x)


class Trainer:
    def __init__(self, model, train_data, test_data, lr):
        self.model = model
        self.criterion = nn.CrossEntropyLoss()
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=lr)
        self.scheduler = torch.optim.lr_scheduler.StepLR(self.optimizer, step_size=2, gamma=0.5)
        self.train_loader = DataLoader(train_data, batch_size=24, shuffle=True)
        self.test_loader = DataLoader(test_data, batch_size=24)
        self.running_loss = 0.0
        self.best = 0.0
        self.history = []

    def train_step(self, x, y):
        self.optimizer.zero_grad()
        loss = self.criterion(self.model(x), y)
        loss.backward()
        self.optimizer.step()
        self.running_loss += loss.item() * len(x)

    def train_epoch(self):
        self.model.train()
        self.running_loss = 0.0
        for x, y in self.train_loader:
            self.train_step(x, y)
        return self.running_loss / len(self.train_loader.dataset)

    @torch.no_grad()
    def evaluate(self):
        self.model.eval()
        correct = 0
        for x, y in self.test_loader:
            correct += (self.model(x).argmax(1) == y).sum().item()
        return correct / len(self.test_loader.dataset)

    def fit(self, epochs):
        for epoch in range(epochs):
            loss = self.train_epoch()
            accuracy = self.evaluate()
            self.scheduler.step()
            self.history.append((loss, accuracy))
            print(f"epoch {epoch}: loss {loss:.5f}, accuracy {accuracy:.4f}")
            if accuracy > self.best:
                self.best = accuracy
                torch.save(self.model.state_dict(), "best.pt")


def main():
    torch.manual_seed(3)
    inputs = torch.randn(240, 6)
    labels = inputs[:, :3].argmax(1)
    train_data = TensorDataset(inputs[:192], labels[:192])
    test_data = TensorDataset(inputs[192:], labels[192:])
    trainer = Trainer(Net(), train_data, test_data, lr=0.2)
    trainer.fit(4)
    torch.save(trainer.model.state_dict(), "final.pt")


if __name__ == "__main__":
    main()
