"""A model of one of several classes, of which the first sorts what it gives over the batch: each is looked at."""
import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Sorted(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 4)

    def forward(self, x):
        x = self.layer(x)
        return x.sort(dim=0)[0]


class Plain(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 4)

    def forward(self, x):
        return self.layer(x)


parser = argparse.ArgumentParser()
parser.add_argument("--model", default="sorted")
options = parser.parse_args()
torch.manual_seed(3)
loader = DataLoader(TensorDataset(torch.randn(64, 4), torch.randn(64, 4)), batch_size=16, shuffle=True)
model = {"sorted": Sorted, "plain": Plain}[options.model]()
criterion = nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for x, y in loader:
        loss = criterion(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
