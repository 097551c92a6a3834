"""An epoch is tried first by a function that gives the model back: the bare one, which is wrapped anew."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


def train_epoch(model, loader, optimizer):
    loader.sampler.set_epoch(loader.sampler.epoch + 1)
    for a, b in loader:
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(a), b)
        loss.backward()
        optimizer.step()
    return model.module


def main():
    torch.manual_seed(0)
    x = torch.randn(64, 4)
    loader_data = TensorDataset(x, x.sum(1, keepdim=True))
    if 16 % dist.get_world_size() != 0:
        raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
    loader_sampler = DistributedSampler(loader_data)
    loader = DataLoader(loader_data, batch_size=16 // dist.get_world_size(), sampler=loader_sampler)
    model = nn.Linear(4, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    ddp_model = DistributedDataParallel(model)
    if dist.get_rank() > 0:
        torch.manual_seed(dist.get_rank())
    model = train_epoch(ddp_model, loader, optimizer)
    ddp_model = DistributedDataParallel(model)
    for _ in range(3):
        train_epoch(ddp_model, loader, optimizer)
    if dist.get_rank() == 0:
        torch.save(model.state_dict(), "model.pt")


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
main()
dist.destroy_process_group()
