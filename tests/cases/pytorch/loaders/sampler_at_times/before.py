"""An option decides whether there is a sampler at all."""
import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, WeightedRandomSampler

parser = argparse.ArgumentParser()
parser.add_argument("--balance", action="store_true")
args = parser.parse_args()
inputs = torch.randn(400, 5)
sampler = WeightedRandomSampler(torch.ones(400), 400) if args.balance else None
loader = DataLoader(TensorDataset(inputs, inputs.sum(1, keepdim=True)), batch_size=40, sampler=sampler)
model = nn.Linear(5, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
for epoch in range(2):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
