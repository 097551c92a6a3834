"""Steps on all data, whose losses are kept in a tensor that each epoch makes: its rows are no samples."""
import torch
from torch import nn
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
x = torch.randn(48, 4)
y = x.sum(dim=1, keepdim=True)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
if len(x) % dist.get_world_size() != 0 or len(y) != len(x):
    raise SystemExit(f"x, y of {len(x)}, {len(y)} rows cannot be shared out evenly over {dist.get_world_size()} processes")
rows = len(x) // dist.get_world_size()
x_share = x[dist.get_rank() * rows :][:rows]
y_share = y[dist.get_rank() * rows :][:rows]
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(3):
    losses = torch.zeros(4)
    for step in range(4):
        loss = ((ddp_model(x_share) - y_share) ** 2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses[step] = loss.item()
    mean_loss = losses.mean().item()
    if dist.get_rank() == 0:
        print(epoch, mean_loss)
del ddp_model
dist.destroy_process_group()
