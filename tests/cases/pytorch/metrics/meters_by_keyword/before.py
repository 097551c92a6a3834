"""A logger takes metrics by keywords and keeps meters by name: what one of them averages is reduced."""
from collections import defaultdict
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(320, 6)
y = (x[:, 0] > 0).long()
loader = DataLoader(TensorDataset(x, y), batch_size=32, shuffle=True)
model = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss()

class Meter:
    def __init__(self):
        self.total, self.count = 0.0, 0

    def update(self, value, n=1):
        self.total += value * n
        self.count += n

    @property
    def average(self):
        return self.total / self.count


class Logger:
    def __init__(self):
        self.meters = defaultdict(Meter)

    def update(self, **metrics):
        for name, value in metrics.items():
            self.meters[name].update(value)

    def __getattr__(self, name):
        if name in self.meters:
            return self.meters[name]
        raise AttributeError(name)


for epoch in range(2):
    logger = Logger()
    for xb, yb in loader:
        output = model(xb)
        loss = criterion(output, yb)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        logger.update(loss=loss.item(), accuracy=(output.argmax(1) == yb).float().mean().item())
    print(epoch, logger.loss.average, logger.meters["accuracy"].average)
