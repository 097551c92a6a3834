"""What is known no more of where samples are: a matrix and the same with rows and columns exchanged."""
import argparse
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

parser = argparse.ArgumentParser()
parser.add_argument("--first", type=int, default=0)
parser.add_argument("--second", type=int, default=1)
args = parser.parse_args()
torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(256, 8)), batch_size=32, shuffle=True)
model = nn.Linear(8, 4)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for (x,) in loader:
        rows = model(x).permute(args.first, args.second)
        loss = (rows @ rows.t()).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
