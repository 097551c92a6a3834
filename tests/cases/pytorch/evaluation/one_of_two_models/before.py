"""Which of two models is trained is an option; whichever it is, eval() turns its dropout off, so the schedule is right."""
import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


class Small(nn.Module):
    def __init__(self):
        super().__init__()
        self.drop = nn.Dropout(0.2)
        self.out = nn.Linear(8, 2)

    def forward(self, x):
        return self.out(self.drop(x))


class Wide(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(8, width), nn.ReLU(), nn.Dropout(0.5))
        self.out = nn.Linear(width, 2)

    def forward(self, x):
        return self.out(self.body(x))


parser = argparse.ArgumentParser()
parser.add_argument("--model", choices=["small", "wide"], default="small")
args = parser.parse_args()
torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(640, 8), torch.randint(0, 2, (640,))), batch_size=64, shuffle=True)
held_out = DataLoader(TensorDataset(torch.randn(99, 8), torch.randint(0, 2, (99,))), batch_size=50)
if args.model == "small":
    model = Small()
else:
    model = Wide(32)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
plateau = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer)
for epoch in range(2):
    model.train()
    for x, y in loader:
        loss = F.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        held = sum(F.cross_entropy(model(x), y, reduction="sum").item() for x, y in held_out) / 99
    plateau.step(held)
    print(epoch, held)
