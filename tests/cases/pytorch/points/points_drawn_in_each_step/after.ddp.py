"""Points are drawn anew in each step, inside and at the boundary, of which there are fewer."""

import torch
import torch.nn as nn
import os
import torch.distributed as dist
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
model = nn.Sequential(nn.Linear(1, 32), nn.Tanh(), nn.Linear(32, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)


def share_rows(batch):
    if len(batch) % dist.get_world_size() != 0:
        raise SystemExit(f"batch size {len(batch)} cannot be shared out over {dist.get_world_size()} processes")
    rows = len(batch) // dist.get_world_size()
    return batch[dist.get_rank() * rows :][:rows].detach().requires_grad_(batch.requires_grad)


for tensor in [*model.parameters(), *model.buffers()]:
    dist.broadcast(tensor.data, src=0)
for i in range(100):
    x = share_rows(torch.rand(64, 1, requires_grad=True))
    x_b = share_rows(torch.rand(16, 1))
    u = model(x)
    u_x = torch.autograd.grad(u.sum(), x, create_graph=True)[0]
    loss = ((u_x - torch.cos(x)) ** 2).mean() + ((model(x_b) - torch.sin(x_b)) ** 2).mean()
    optimizer.zero_grad()
    loss.backward()
    for parameter in [p for group in optimizer.param_groups for p in group["params"]]:
        if parameter.grad is not None:
            dist.all_reduce(parameter.grad)
            parameter.grad /= dist.get_world_size()
    optimizer.step()
dist.destroy_process_group()
