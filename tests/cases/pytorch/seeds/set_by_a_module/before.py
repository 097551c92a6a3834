"""A function of another file seeds with what it is given: ranks above 0 take what stands in the call, plus their rank."""
import argparse
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from util import set_seed

parser = argparse.ArgumentParser()
parser.add_argument("--seed", type=int, default=1)
args = parser.parse_args()
set_seed(seed=args.seed)
loader = DataLoader(TensorDataset(torch.randn(320, 4), torch.randn(320, 1)), batch_size=32, shuffle=True)
model = nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.5), nn.Linear(8, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
