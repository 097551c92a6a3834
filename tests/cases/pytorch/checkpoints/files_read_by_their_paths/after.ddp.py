"""Whatever is given the path of a file that rank 0 has just written waits for it; other reads do not."""

import argparse
import os
from pathlib import Path

import numpy as np
import pandas as pd
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
parser = argparse.ArgumentParser()
parser.add_argument("--table", default="table.json")
args = parser.parse_args()
torch.manual_seed(0)
loader_data = TensorDataset(torch.randn(64, 8), torch.randn(64, 1))
if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=16 // dist.get_world_size(), sampler=loader_sampler)
model = nn.Linear(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        loss = nn.functional.mse_loss(ddp_model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
scores = pd.DataFrame({"epoch": [0, 1]})
if dist.get_rank() == 0:
    scores.to_json("scores.json")
dist.barrier()
again = pd.read_json("scores.json")
if dist.get_rank() == 0:
    scores.to_json(args.table)
dist.barrier()
again = pd.read_json(args.table)
note = Path("note.txt")
if dist.get_rank() == 0:
    note.write_text("trained")
dist.barrier()
text = note.read_text()
folder = "out"
if dist.get_rank() == 0:
    np.savetxt(os.path.join(folder, "ones.txt"), np.ones(3))
dist.barrier()
ones = np.genfromtxt(os.path.join(folder, "ones.txt"))
state = {"weights": model.state_dict()}
if dist.get_rank() == 0:
    torch.save(state, "model.pt")
count = len(state)
readme = Path("README.md").read_text()
if dist.get_rank() == 0:
    print(again.shape, text, ones.sum(), count, len(readme))
del ddp_model
dist.destroy_process_group()
