"""How often a layer is used is drawn at random for each step, and may be never."""
import random

import torch
from torch import nn
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
seed = torch.tensor(torch.initial_seed() % 2**63)
dist.broadcast(seed, src=0)
seed = seed.item()
torch.manual_seed(seed)
random.seed(seed % 2**32)
x, y = torch.randn(64, 10), torch.randn(64, 2)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.middle, self.last = nn.Linear(10, 16), nn.Linear(16, 16), nn.Linear(16, 2)

    def forward(self, x):
        h = self.first(x).clamp(min=0)
        for _ in range(random.randint(0, 3)):
            h = self.middle(h).clamp(min=0)
        return self.last(h)


model = Net()
criterion = nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
if len(x) % dist.get_world_size() != 0 or len(y) != len(x):
    raise SystemExit(f"x, y of {len(x)}, {len(y)} rows cannot be shared out evenly over {dist.get_world_size()} processes")
rows = len(x) // dist.get_world_size()
x_share = x[dist.get_rank() * rows :][:rows]
y_share = y[dist.get_rank() * rows :][:rows]
ddp_model = DistributedDataParallel(model, find_unused_parameters=True)
if dist.get_rank() > 0:
    torch.manual_seed(seed + dist.get_rank())
for step in range(50):
    loss = criterion(ddp_model(x_share), y_share)
    total = torch.tensor(loss.item(), dtype=torch.float64)
    dist.all_reduce(total)
    mean_loss = total.item() / dist.get_world_size()
    if dist.get_rank() == 0:
        print(step, mean_loss)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
del ddp_model
dist.destroy_process_group()
