"""Gradients of a model that is trained by a method are averaged before they are clipped, under a condition."""
import argparse

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

parser = argparse.ArgumentParser()
parser.add_argument("--clip", type=float, default=0.5)
args = parser.parse_args()


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(10, 3)
        self.scale = nn.Parameter(torch.ones(3))

    def log_prob(self, x, y):
        scores = torch.log_softmax(self.layer(x) * self.scale, dim=1)
        return scores.gather(1, y.unsqueeze(1)).squeeze(1)


torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(320, 10), torch.randint(0, 3, (320,))), batch_size=32, shuffle=True)
model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
for epoch in range(3):
    for x, y in loader:
        optimizer.zero_grad()
        loss = -model.log_prob(x, y).mean()
        loss.backward()
        if args.clip > 0:
            torch.nn.utils.clip_grad_norm_(model.parameters(), args.clip)
        optimizer.step()
torch.save(model.state_dict(), "model.pt")
