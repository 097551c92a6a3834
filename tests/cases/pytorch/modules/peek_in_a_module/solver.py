import torch
from torch import nn


class Solver:
    def __init__(self, loader, model):
        self.loader = loader
        self.model = model
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    def show(self):
        x, y = next(iter(self.loader))
        print(x.shape, y[5])

    def train(self, epochs):
        criterion = nn.CrossEntropyLoss()
        fixed = next(iter(self.loader))[0]
        for epoch in range(epochs):
            for xb, yb in self.loader:
                self.optimizer.zero_grad()
                loss = criterion(self.model(xb), yb)
                loss.backward()
                self.optimizer.step()
            print(self.model(fixed).argmax(1))
