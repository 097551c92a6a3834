"""The expression of the batch size has both kinds of quotes."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset, random_split
import argparse
p = argparse.ArgumentParser()
p.add_argument("--b", default=32, type=int)
args = vars(p.parse_args())
torch.manual_seed(0)
data = TensorDataset(torch.randn(320, 10), torch.randint(0, 3, (320,)))
cfg = {"a": {'b': 32}}
loader = DataLoader(data, cfg["a"]['b'] if args['b'] else args["b"] + 1, True)
model = nn.Linear(10, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
