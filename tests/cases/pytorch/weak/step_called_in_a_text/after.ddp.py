"""The epoch is called within an f-string, and is given the warm-up there."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.optim.lr_scheduler import LinearLR
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


def train(model, loader, optimizer, warmup):
    total = 0.0
    for x, y in loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        warmup.step()
        total += loss.item()
    total_ = torch.tensor(total, dtype=torch.float64)
    dist.all_reduce(total_)
    total = total_.item() / dist.get_world_size()
    return total / len(loader)


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
x = torch.randn(320, 64)
loader_data = TensorDataset(x, (x[:, 0] > 0).long())
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=32, sampler=loader_sampler)
model = nn.Linear(64, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1 * dist.get_world_size())
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
warmup = LinearLR(
    optimizer, start_factor=1 / dist.get_world_size(), total_iters=max(1, int(min(5, 10 / 10) * len(loader)))
)
for epoch in range(10):
    loader.sampler.set_epoch(epoch)
    train_result = train(ddp_model, loader, optimizer, warmup=warmup)
    if dist.get_rank() == 0:
        print(f"epoch {epoch}: {train_result:.4f}")
del ddp_model
dist.destroy_process_group()
