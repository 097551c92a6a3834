"""LBFGS is called once, and evaluates its closure as often as it needs to."""
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
x = torch.linspace(0, 1, 64).view(-1, 1)
y = torch.sin(6 * x)
model = nn.Sequential(nn.Linear(1, 16), nn.Tanh(), nn.Linear(16, 1))
criterion = nn.MSELoss()
optimizer = torch.optim.LBFGS(model.parameters(), max_iter=40, line_search_fn="strong_wolfe")


def closure():
    optimizer.zero_grad()
    loss = criterion(ddp_model(x_share), y_share)
    loss.backward()
    total = torch.tensor(float(loss), dtype=torch.float64)
    dist.all_reduce(total)
    mean_loss = (total / dist.get_world_size()).to(loss.dtype)
    return mean_loss


if len(x) % dist.get_world_size() != 0 or len(y) != len(x):
    raise SystemExit(f"x, y of {len(x)}, {len(y)} rows cannot be shared out evenly over {dist.get_world_size()} processes")
rows = len(x) // dist.get_world_size()
x_share = x[dist.get_rank() * rows :][:rows]
y_share = y[dist.get_rank() * rows :][:rows]
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
first = optimizer.step(closure)
model_result = model(x)
if dist.get_rank() == 0:
    print(first.item(), criterion(model_result, y).item())
del ddp_model
dist.destroy_process_group()
