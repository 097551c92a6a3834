"""An object keeps the parameters, and clips their gradients by hand; the network is evaluated by its name."""

import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Wide(nn.Module):
    def __init__(self, inputs):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(inputs, 12), nn.Tanh(), nn.Linear(12, 1))

    def forward(self, x):
        return self.layers(x)


class Stepper:
    def __init__(self, parameters, method, rate, limit):
        self.kept = list(parameters)
        self.limit = limit
        if method == "sgd":
            self.optimizer = torch.optim.SGD(self.kept, lr=rate)
        else:
            self.optimizer = torch.optim.Adam(self.kept, lr=rate)

    def step(self):
        total = 0.0
        for parameter in self.kept:
            total += parameter.grad.norm().item() ** 2
        norm = total**0.5
        for parameter in self.kept:
            if norm > self.limit:
                parameter.grad.mul_(self.limit / norm)
        self.optimizer.step()
        return norm


parser = argparse.ArgumentParser()
parser.add_argument("--net", default="Wide")
parser.add_argument("--epochs", type=int, default=3)
args = parser.parse_args()

torch.manual_seed(5)
x = torch.randn(96, 6)
y = 3 * x[:, :1] - x[:, 1:2] * x[:, 2:3]
loader = DataLoader(TensorDataset(x, y), batch_size=16, shuffle=True)
model = eval(args.net)(6)
criterion = nn.MSELoss()
stepper = Stepper(model.parameters(), "sgd", 0.05, 0.5)
for epoch in range(args.epochs):
    total = 0.0
    for inputs, targets in loader:
        model.zero_grad()
        loss = criterion(model(inputs), targets)
        loss.backward()
        stepper.step()
        total += loss.item()
    print(epoch, round(total / len(loader), 4))
