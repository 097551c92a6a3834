"""A class whose methods fire calls: those that no other method calls."""

import fire
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Job:
    def __init__(self, lr=0.1):
        self.model = nn.Linear(8, 3)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=lr)

    def loader(self, batch_size):
        data = TensorDataset(torch.randn(64, 8), torch.randint(0, 3, (64,)))
        return DataLoader(data, batch_size=batch_size, shuffle=True)

    def run(self, epochs=2, batch_size=16):
        criterion = nn.CrossEntropyLoss()
        loader = self.loader(batch_size)
        for epoch in range(epochs):
            for x, y in loader:
                self.optimizer.zero_grad()
                criterion(self.model(x), y).backward()
                self.optimizer.step()
            print("epoch", epoch)


if __name__ == "__main__":
    fire.Fire(Job)
