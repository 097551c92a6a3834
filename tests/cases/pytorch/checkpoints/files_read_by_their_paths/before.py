"""Whatever is given the path of a file that rank 0 has just written waits for it; other reads do not."""

import argparse
import os
from pathlib import Path

import numpy as np
import pandas as pd
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

parser = argparse.ArgumentParser()
parser.add_argument("--table", default="table.json")
args = parser.parse_args()
torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(64, 8), torch.randn(64, 1)), batch_size=16, shuffle=True)
model = nn.Linear(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for x, y in loader:
        loss = nn.functional.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
scores = pd.DataFrame({"epoch": [0, 1]})
scores.to_json("scores.json")
again = pd.read_json("scores.json")
scores.to_json(args.table)
again = pd.read_json(args.table)
note = Path("note.txt")
note.write_text("trained")
text = note.read_text()
folder = "out"
np.savetxt(os.path.join(folder, "ones.txt"), np.ones(3))
ones = np.genfromtxt(os.path.join(folder, "ones.txt"))
state = {"weights": model.state_dict()}
torch.save(state, "model.pt")
count = len(state)
readme = Path("README.md").read_text()
print(again.shape, text, ones.sum(), count, len(readme))
