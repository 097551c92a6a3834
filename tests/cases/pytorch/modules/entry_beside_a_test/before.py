"""A file trains when another one is run, and does something else when it is run itself."""
import torch
from torch import nn

torch.manual_seed(0)


class Solver:
    def __init__(self, model, loader):
        self.model, self.loader = model, loader
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    def train(self):
        for x, y in self.loader:
            self.optimizer.zero_grad()
            nn.functional.mse_loss(self.model(x), y).backward()
            self.optimizer.step()


if __name__ == "__main__":
    print(nn.Linear(4, 1)(torch.randn(1, 4)))
