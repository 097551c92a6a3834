"""A model of an own class, or layers in a row, of which one works over the samples."""
import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Centred(nn.Module):
    def forward(self, x):
        return x - x.mean(dim=1, keepdim=True)


class Stages(nn.Module):
    def __init__(self, count):
        super().__init__()
        for number in range(count):
            self.add_module(f"stage{number}", nn.Linear(4, 4))
        self.count = count

    def forward(self, x):
        for number in range(self.count):
            x = torch.relu(getattr(self, f"stage{number}")(x))
        return x


parser = argparse.ArgumentParser()
parser.add_argument("--model", default="stages")
options = parser.parse_args()

torch.manual_seed(3)
loader = DataLoader(TensorDataset(torch.randn(64, 4), torch.randn(64, 4)), batch_size=16, shuffle=True)
if options.model == "stages":
    model = Stages(2)
elif options.model == "row":
    model = nn.Sequential(nn.Linear(4, 4), Centred(), nn.Softmax(dim=0))
else:
    model = nn.Linear(4, 4)
criterion = nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for x, y in loader:
        loss = criterion(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
