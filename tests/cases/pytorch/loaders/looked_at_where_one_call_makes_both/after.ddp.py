"""One function makes the loader for training and another one, of which only the first batch is looked at: it is looked at whole."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


def loader_of(rows, batch_size=16, shuffle=True):
    loader_data = TensorDataset(rows, rows.sum(1, keepdim=True))
    if batch_size % dist.get_world_size() != 0:
        raise SystemExit(f"batch size {batch_size} cannot be shared out over {dist.get_world_size()} processes")
    return DataLoader(loader_data, batch_size=batch_size // dist.get_world_size(), sampler=DistributedSampler(loader_data, shuffle=shuffle))


def show(loader):
    whole_loader = DataLoader(
        loader.dataset, batch_size=loader.batch_size * dist.get_world_size(), shuffle=loader.sampler.shuffle
    )
    x, y = next(iter(whole_loader))
    if dist.get_rank() == 0:
        print(len(x), y.flatten().tolist())


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
rows = torch.randn(64, 6)
loader, shown = loader_of(rows), loader_of(rows, batch_size=4, shuffle=False)
model = nn.Linear(6, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(ddp_model(x), y).backward()
        optimizer.step()
    show(shown)
del ddp_model
dist.destroy_process_group()
