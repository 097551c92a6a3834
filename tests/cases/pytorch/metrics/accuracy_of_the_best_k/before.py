"""Accuracies as hits times a hundred over the number of samples, kept by meters of the script's own."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
data = TensorDataset(torch.randn(64, 4), torch.randint(0, 3, (64,)))
loader = DataLoader(data, batch_size=8, shuffle=True)
held_out = DataLoader(TensorDataset(torch.randn(30, 4), torch.randint(0, 3, (30,))), batch_size=8)
model = nn.Linear(4, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


class Meter:
    def __init__(self):
        self.sum, self.count, self.avg = 0.0, 0, 0.0

    def update(self, value, n=1):
        self.sum += value * n
        self.count += n
        self.avg = self.sum / self.count


def accuracies(output, target, topk=(1,)):
    predicted = output.topk(max(topk), 1, True, True)[1].t()
    correct = predicted.eq(target.view(1, -1).expand_as(predicted))
    return [correct[:k].reshape(-1).float().sum(0).mul_(100.0 / target.size(0)) for k in topk]


best = Meter()
first = Meter()
for epoch in range(2):
    for x, y in loader:
        output = model(x)
        loss = F.cross_entropy(output, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        one, two = accuracies(output.detach(), y, topk=(1, 2))
        first.update(one.item(), x.size(0))
        best.update(two.item(), x.size(0))
    print(epoch, first.avg, best.avg)
