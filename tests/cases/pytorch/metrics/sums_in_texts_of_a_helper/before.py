"""A helper adds sums to a dict, and another puts them into texts that are shown: they are reduced after the pass."""

from collections import defaultdict
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
data = TensorDataset(torch.randn(96, 6), torch.rand(96, 1))
loader = DataLoader(data, batch_size=12, shuffle=True)
model = nn.Linear(6, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def calc_loss(pred, target, metrics):
    loss = F.mse_loss(pred, target)
    metrics["loss"] += loss.data.cpu().numpy() * target.size(0)
    return loss


def print_metrics(metrics, samples):
    outputs = []
    for k in metrics.keys():
        outputs.append("{}: {:4f}".format(k, metrics[k] / samples))
    print(", ".join(outputs))


for epoch in range(2):
    metrics = defaultdict(float)
    samples = 0
    for x, y in loader:
        optimizer.zero_grad()
        loss = calc_loss(model(x), y, metrics)
        loss.backward()
        optimizer.step()
        samples += x.size(0)
    print_metrics(metrics, samples)
