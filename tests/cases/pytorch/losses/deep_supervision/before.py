"""A model with several outputs in training: each has a loss with a weight, in a function that takes one output too."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Linear(12, 16)
        self.heads = nn.ModuleList([nn.Linear(16, 4), nn.Linear(16, 4)])

    def forward(self, x):
        h = torch.relu(self.stem(x))
        if self.training:
            return self.heads[0](h), self.heads[1](h)
        return self.heads[0](h)


def distance(output, target, mean=True):
    each = torch.norm(target - output, 2, 1)
    if mean:
        return each.mean()
    return each.sum() / output.size(0)


def multiscale(outputs, target, weights=None):
    if type(outputs) not in (tuple, list):
        outputs = [outputs]
    if weights is None:
        weights = [1.0, 0.4]
    loss = 0
    for output, weight in zip(outputs, weights):
        loss += weight * distance(output, target, mean=False)
    return loss


torch.manual_seed(0)
train_loader = DataLoader(TensorDataset(torch.randn(320, 12), torch.randn(320, 4)), batch_size=32, shuffle=True)
model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
model.train()
for epoch in range(3):
    for x, y in train_loader:
        outputs = model(x)
        loss = multiscale(outputs, y)
        auxiliary = []
        for output in outputs:
            auxiliary.append(F.mse_loss(output, y))
        loss = loss + 0.1 * sum(auxiliary)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
