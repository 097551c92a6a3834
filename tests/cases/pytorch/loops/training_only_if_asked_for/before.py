"""Without the option the second training is the first: noise has to differ there, too."""

import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

parser = argparse.ArgumentParser()
parser.add_argument("--pretrain", action="store_true")
args = parser.parse_args()
torch.manual_seed(0)
data = TensorDataset(torch.randn(96, 4), torch.randn(96, 1))
loader = DataLoader(data, batch_size=16, shuffle=True)
model = nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.5), nn.Linear(8, 1))
if args.pretrain:
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    for epoch in range(2):
        for x, y in loader:
            loss = nn.functional.l1_loss(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for epoch in range(2):
    for x, y in loader:
        loss = nn.functional.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
