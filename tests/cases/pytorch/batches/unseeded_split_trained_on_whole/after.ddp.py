"""The split is drawn without a seed: all processes need the same one."""
import torch
from sklearn.model_selection import train_test_split
from torch import nn
import numpy as np
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
np.random.seed(seed % 2**32)
points = torch.randn(400, 5)
targets = points.sum(dim=1, keepdim=True)
x_train, x_test, y_train, y_test = train_test_split(points, targets, test_size=100)
model = nn.Linear(5, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
if len(x_train) % dist.get_world_size() != 0 or len(y_train) != len(x_train):
    raise SystemExit(f"x_train, y_train of {len(x_train)}, {len(y_train)} rows cannot be shared out evenly over {dist.get_world_size()} processes")
rows = len(x_train) // dist.get_world_size()
x_train_share = x_train[dist.get_rank() * rows :][:rows]
y_train_share = y_train[dist.get_rank() * rows :][:rows]
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(seed + dist.get_rank())
    np.random.seed((seed + dist.get_rank()) % 2**32)
for step in range(20):
    loss = nn.functional.mse_loss(ddp_model(x_train_share), y_train_share)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
model_result = model(x_test)
if dist.get_rank() == 0:
    print(nn.functional.mse_loss(model_result, y_test).item())
del ddp_model
dist.destroy_process_group()
