"""Rows are written out, as many of one as of the other, once a list has grown: the program asks for what N divides."""

import torch
from torch import nn
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
rows = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0]]
rows.append([1.0, 1.0])
inputs = torch.tensor(rows)
labels = torch.tensor([0, 1, 1, 0])
torch.manual_seed(0)
model = nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 2))
optimizer = torch.optim.Adam(model.parameters(), lr=0.1)
if len(inputs) % dist.get_world_size() != 0 or len(labels) != len(inputs):
    raise SystemExit(f"inputs, labels of {len(inputs)}, {len(labels)} rows cannot be shared out evenly over {dist.get_world_size()} processes")
rows_ = len(inputs) // dist.get_world_size()
inputs_share = inputs[dist.get_rank() * rows_ :][:rows_]
labels_share = labels[dist.get_rank() * rows_ :][:rows_]
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(100):
    loss = nn.functional.cross_entropy(ddp_model(inputs_share), labels_share)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    total = torch.tensor(loss.item(), dtype=torch.float64)
    dist.all_reduce(total)
    mean_loss = total.item() / dist.get_world_size()
    if dist.get_rank() == 0:
        print(epoch, mean_loss)
del ddp_model
dist.destroy_process_group()
