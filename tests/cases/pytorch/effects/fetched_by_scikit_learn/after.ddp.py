"""Tables that scikit-learn fetches, unpacks and removes the archive of: rank 0 has them first, the others after."""

import torch
from sklearn.datasets import fetch_california_housing, fetch_openml
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


def rank_0_first(make):
    made = make() if dist.get_rank() == 0 else None
    dist.barrier()
    return made if dist.get_rank() == 0 else make()


def wine():
    return rank_0_first(lambda: fetch_openml(
        "wine-quality-red",
        version=1,
        as_frame=False,
    ))


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
rows, prices = rank_0_first(lambda: fetch_california_housing(return_X_y=True))
other = torch.tensor(wine().data).float()
x = (torch.tensor(rows).float() - other.mean()) / other.std()
y = torch.tensor(prices).float().unsqueeze(1)
model = nn.Linear(x.shape[1], 1)
loader_data = TensorDataset(x, y)
if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=16 // dist.get_world_size(), sampler=loader_sampler)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
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
