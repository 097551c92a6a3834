"""A parameter of a constructor that is `None` where it is called decides which parameters an object keeps."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Stepper:
    def __init__(self, params, method, rate, only=None):
        self.params = list(params)
        self.method = method
        self.rate = rate
        if only is not None:
            self.params = [only]
        self.make()

    def make(self):
        if self.method == "sgd":
            self.optimizer = torch.optim.SGD(self.params, lr=self.rate)
        else:
            self.optimizer = torch.optim.Adam(self.params, lr=self.rate)

    def step(self):
        self.optimizer.step()


torch.manual_seed(0)
x = torch.randn(256, 6)
y = (x.sum(1) > 0).long()
loader = DataLoader(TensorDataset(x, y), batch_size=16, shuffle=True)
model = nn.Linear(6, 2)
criterion = nn.CrossEntropyLoss()
stepper = Stepper(model.parameters(), "sgd", 0.2)
for epoch in range(3):
    for a, b in loader:
        model.zero_grad()
        criterion(model(a), b).backward()
        stepper.step()
