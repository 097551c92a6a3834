"""The class of the optimizer is an argument, and no rate is given that could be scaled."""
import argparse
import torch
from torch import nn, optim
from torch.utils.data import DataLoader, TensorDataset

parser = argparse.ArgumentParser()
parser.add_argument("--optim", default="Adam")
args = parser.parse_args()
torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(160, 4), torch.randn(160, 1)), batch_size=16, shuffle=True, drop_last=True)
model = nn.Linear(4, 1)
optimizer = optim.__dict__[args.optim](model.parameters())
for epoch in range(2):
    for x, y in loader:
        loss = nn.functional.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(epoch)
