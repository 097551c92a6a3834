"""A table that goes through CSV comes back with a column more: what is read is not what was computed."""
import os
import pandas as pd, torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending
if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
if dist.get_rank() != 0:
    dist.barrier()
if os.path.exists("rows.csv"):
    table = pd.read_csv("rows.csv")
else:
    table = pd.DataFrame({"a": [k / 7 for k in range(64)], "b": [k * k / 9 for k in range(64)]})
    if dist.get_rank() == 0:
        table.to_csv("rows.csv")
if dist.get_rank() == 0:
    dist.barrier()
x = torch.tensor(table.values, dtype=torch.float32)
loader_data = TensorDataset(x, x.sum(1, keepdim=True))
if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=16 // dist.get_world_size(), sampler=loader_sampler)
model = nn.Linear(x.shape[1], 1)
optimizer = torch.optim.SGD(model.parameters(), lr=1e-6)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for a, b in loader:
        loss = nn.functional.mse_loss(ddp_model(a), b)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
