"""A loader shuffles where it is given no sampler; batches of one sample for batch normalisation are dropped."""
import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, WeightedRandomSampler

parser = argparse.ArgumentParser()
parser.add_argument("--balance", action="store_true")
parser.add_argument("--keep-order", action="store_true")
args = parser.parse_args()
torch.manual_seed(0)
inputs = torch.randn(410, 5)
train_set = TensorDataset(inputs, inputs.sum(1, keepdim=True))
sampler = None
if args.balance:
    sampler = WeightedRandomSampler(torch.rand(410), 410)
loader = DataLoader(train_set, batch_size=40, shuffle=(sampler is None), sampler=sampler, num_workers=0)
second = DataLoader(train_set, 40, not args.keep_order and sampler is None, sampler=sampler)
model = nn.Sequential(nn.Linear(5, 8), nn.BatchNorm1d(8), nn.Linear(8, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
for epoch in range(2):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
    for x, y in second:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
