"""random.seed(None) takes a seed by chance: where the option is not given, all processes go on from rank 0's state."""
import argparse
import random

import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

parser = argparse.ArgumentParser()
parser.add_argument("--seed", type=int, default=None)
args = parser.parse_args()


def set_seed(seed=None):
    np.random.seed(3)
    random.seed(seed)


set_seed(args.seed)
x, y = torch.ones(640, 10), torch.ones(640, 1)
rows = random.sample(range(640), 512)
loader = DataLoader(TensorDataset(x[rows], y[rows]), batch_size=32, shuffle=True)
model = nn.Linear(10, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
