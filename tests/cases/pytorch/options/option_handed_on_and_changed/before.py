"""What is handed on is not only the option: whether the other outputs are there, its default does not say."""
import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Stages(nn.Module):
    def __init__(self, side_outputs):
        super().__init__()
        self.side_outputs = side_outputs
        self.side = nn.Linear(5, 3)
        self.head = nn.Linear(5, 3)

    def forward(self, x):
        if self.side_outputs:
            return [self.side(x), self.head(x)]
        return self.head(x)


parser = argparse.ArgumentParser()
parser.add_argument("--side-outputs", type=int, default=0)
args = parser.parse_args()

torch.manual_seed(3)
rows = TensorDataset(torch.randn(64, 5), torch.randint(0, 3, (64,)))
loader = DataLoader(rows, batch_size=16, shuffle=True)
stages = args.side_outputs + 1
model = Stages(stages)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x, y in loader:
    if stages:
        loss = sum(criterion(output, y) for output in model(x))
    else:
        loss = criterion(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
