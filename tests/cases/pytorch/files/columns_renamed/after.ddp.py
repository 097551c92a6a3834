"""The columns of a table are renamed in place, on all processes: no file has another name."""
import pandas as pd
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
table = pd.read_csv("rows.csv")
table.rename(columns={"first": "x", "second": "y"}, inplace=True)
table.rename(str.lower, axis="columns", inplace=True)
pairs = TensorDataset(torch.tensor(table[["x"]].values).float(), torch.tensor(table[["y"]].values).float())
if 8 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {dist.get_world_size()} processes")
loader = DataLoader(pairs, batch_size=8 // dist.get_world_size(), sampler=DistributedSampler(pairs))
model = nn.Linear(1, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
ddp_model = DistributedDataParallel(model)
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(ddp_model(x), y).backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
