"""An object keeps the parameters, makes the optimizer of them, and clips their gradients by hand."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Stepper:
    def __init__(self, params, method, rate, limit):
        self.params = list(params)
        self.method = method
        self.rate = rate
        self.limit = limit
        self.make()

    def make(self):
        if self.method == "sgd":
            self.optimizer = torch.optim.SGD(self.params, lr=self.rate)
        else:
            self.optimizer = torch.optim.Adam(self.params, lr=self.rate)

    def step(self):
        norm = 0.0
        for p in self.params:
            norm += p.grad.data.norm().item() ** 2
        norm = norm**0.5
        if norm > self.limit:
            for p in self.params:
                p.grad.data.mul_(self.limit / norm)
        self.optimizer.step()
        return norm


torch.manual_seed(0)
x = torch.randn(256, 6)
y = (x.sum(1) > 0).long()
loader = DataLoader(TensorDataset(x, y), batch_size=16, shuffle=True)
model = nn.Linear(6, 2)
criterion = nn.CrossEntropyLoss()
stepper = Stepper(model.parameters(), "sgd", 0.2, 1.0)
for epoch in range(3):
    for a, b in loader:
        model.zero_grad()
        criterion(model(a), b).backward()
        stepper.step()
