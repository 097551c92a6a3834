"""LBFGS with a line search on all data; the closure prints the loss of each evaluation."""
import torch
from torch import nn, optim
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
x = torch.randn(96, 6)
y = torch.sin(x.sum(1, keepdim=True))
model = nn.Sequential(nn.Linear(6, 16), nn.Tanh(), nn.Linear(16, 1))
criterion = nn.MSELoss()
optimizer = optim.LBFGS(model.parameters(), lr=0.8, max_iter=5, line_search_fn="strong_wolfe")
if len(x) % dist.get_world_size() != 0 or len(y) != len(x):
    raise SystemExit(f"x, y of {len(x)}, {len(y)} rows cannot be shared out evenly over {dist.get_world_size()} processes")
rows = len(x) // dist.get_world_size()
x_share = x[dist.get_rank() * rows :][:rows]
y_share = y[dist.get_rank() * rows :][:rows]
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for step in range(6):

    def closure():
        optimizer.zero_grad()
        loss = criterion(ddp_model(x_share), y_share)
        total = torch.tensor(loss.item(), dtype=torch.float64)
        dist.all_reduce(total)
        mean_loss = total.item() / dist.get_world_size()
        if dist.get_rank() == 0:
            print("loss:", mean_loss)
        loss.backward()
        total = torch.tensor(float(loss), dtype=torch.float64)
        dist.all_reduce(total)
        mean_loss = (total / dist.get_world_size()).to(loss.dtype)
        return mean_loss

    optimizer.step(closure)
del ddp_model
dist.destroy_process_group()
