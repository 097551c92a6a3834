"""A method that makes the loss is called in training and in evaluation."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

class Config:
    lr = 0.1
    epochs = 3
    log_every = 5

class T:
    def __init__(self, config):
        self.config = config
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.build()
        self.steps = 0
        self.lowest = float("inf")

    def build(self):
        self.model = nn.Sequential(nn.Linear(8, 8), nn.BatchNorm1d(8), nn.Dropout(0.1), nn.Linear(8, 1)).to(self.device)
        self.optim = torch.optim.Adam(self.model.parameters(), lr=self.config.lr)


    def loss(self, batch):
        x, y = (part.to(self.device) for part in batch)
        return nn.functional.mse_loss(self.model(x), y)

    def run(self, loaders):
        for epoch in range(self.config.epochs):
            self.model.train()
            for batch in loaders["train"]:
                loss = self.loss(batch)
                self.optim.zero_grad()
                loss.backward()
                self.optim.step()
                self.steps += 1
                if self.steps % self.config.log_every == 0:
                    print(self.steps, loss.item())
            val = self.validate(loaders["val"])
            print("epoch", epoch, val)
            if val < self.lowest:
                self.lowest = val
                self.save("best.pt")

    def validate(self, loader):
        self.model.eval()
        losses = []
        with torch.no_grad():
            for batch in loader:
                losses.append(self.loss(batch).item())
        return sum(losses) / len(losses)

    def save(self, path):
        torch.save({"model": self.model.state_dict(), "optim": self.optim.state_dict(), "epoch": epoch}, path)

torch.manual_seed(0)
x = torch.randn(320, 8)
y = x.sum(1, keepdim=True)
loaders = {"train": DataLoader(TensorDataset(x[:256], y[:256]), batch_size=16, shuffle=True), "val": DataLoader(TensorDataset(x[256:], y[256:]), batch_size=16)}
t = T(Config())
t.run(loaders)
