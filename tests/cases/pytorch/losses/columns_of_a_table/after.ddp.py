"""Columns of a table with the dimension that predictions have."""

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
torch.manual_seed(0)
table = pd.read_csv("houses.csv")
prices = table.pop("price").values
data = TensorDataset(
    torch.tensor(table.iloc[:, 1:].values, dtype=torch.float32),
    torch.tensor(table[["rent"]].values, dtype=torch.float32),
    torch.tensor(prices.reshape(-1, 1), dtype=torch.float32),
    torch.tensor(table.iloc[:, 0].values, dtype=torch.float32),
)
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
loader = DataLoader(data, batch_size=32 // dist.get_world_size(), sampler=DistributedSampler(data))
model = nn.Sequential(nn.Linear(10, 16), nn.ReLU(), nn.Linear(16, 1))
criterion = nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)

ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for x, rent, price, age in loader:
        optimizer.zero_grad()
        prediction = ddp_model(x)
        loss = criterion(prediction, rent) + criterion(prediction, price) + criterion(prediction.squeeze(1), age)
        loss.backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
