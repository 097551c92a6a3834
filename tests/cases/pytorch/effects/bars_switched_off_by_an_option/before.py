"""Bars that an option, the terminal or a mapping switches off stay off on rank 0; one that is never shown is left."""

import argparse
import sys

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from tqdm import tqdm, trange

parser = argparse.ArgumentParser()
parser.add_argument("--quiet", action="store_true")
args = parser.parse_args()
options = {"disable": args.quiet, "ncols": 80}
torch.manual_seed(0)
data = TensorDataset(torch.randn(64, 8), torch.randint(0, 3, (64,)))
model = nn.Linear(8, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(data, batch_size=16, shuffle=True)
for epoch in tqdm(range(3), disable=args.quiet):
    for x, y in tqdm(loader, **options):
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
for _ in tqdm(range(3), disable=not sys.stdout.isatty()):
    pass
for _ in trange(3, disable=None):
    pass
for _ in tqdm(range(3), disable=False):
    pass
for _ in tqdm(range(3), disable=True):
    pass
torch.save(model.state_dict(), "model.pt")
