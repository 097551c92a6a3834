"""Whatever is given the path of a file that rank 0 has just written waits for it; other reads do not."""

import argparse
import os
from pathlib import Path

import numpy as np
import pandas as pd
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
parser = argparse.ArgumentParser()
parser.add_argument("--table", default="table.json")
args = parser.parse_args()
torch.manual_seed(0)
loader_data = TensorDataset(torch.randn(64, 8), torch.randn(64, 1))
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=16 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        loss = nn.functional.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
scores = pd.DataFrame({"epoch": [0, 1]})
if hvd.rank() == 0:
    scores.to_json("scores.json")
hvd.barrier()
again = pd.read_json("scores.json")
if hvd.rank() == 0:
    scores.to_json(args.table)
hvd.barrier()
again = pd.read_json(args.table)
note = Path("note.txt")
if hvd.rank() == 0:
    note.write_text("trained")
hvd.barrier()
text = note.read_text()
folder = "out"
if hvd.rank() == 0:
    np.savetxt(os.path.join(folder, "ones.txt"), np.ones(3))
hvd.barrier()
ones = np.genfromtxt(os.path.join(folder, "ones.txt"))
state = {"weights": model.state_dict()}
if hvd.rank() == 0:
    torch.save(state, "model.pt")
count = len(state)
readme = Path("README.md").read_text()
if hvd.rank() == 0:
    print(again.shape, text, ones.sum(), count, len(readme))
hvd.shutdown()
