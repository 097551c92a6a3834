"""Two functions, one loader each: each is changed at its own DataLoader call."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


def train_dataloader(n):
    xs = torch.randn(n, 6)
    loader_data = TensorDataset(xs, xs.sum(1, keepdim=True))
    if 16 % dist.get_world_size() != 0:
        raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
    return DataLoader(loader_data, batch_size=16 // dist.get_world_size(), sampler=DistributedSampler(loader_data))


def val_dataloader(n):
    xs = torch.randn(n, 6)
    loader_data = TensorDataset(xs, xs.sum(1, keepdim=True))
    return DataLoader(loader_data, batch_size=16, sampler=range(dist.get_rank(), len(loader_data), dist.get_world_size()))


def run():
    train, val = train_dataloader(800), val_dataloader(123)
    model = nn.Linear(6, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.02)
    ddp_model = DistributedDataParallel(model)
    if dist.get_rank() > 0:
        torch.manual_seed(torch.initial_seed() + dist.get_rank())
    for epoch in range(6):
        train.sampler.set_epoch(epoch)
        for x, y in train:
            optimizer.zero_grad()
            nn.functional.mse_loss(ddp_model(x), y).backward()
            optimizer.step()
        sse = 0.0
        with torch.no_grad():
            for x, y in val:
                sse += ((model(x) - y) ** 2).sum().item()
            total = torch.tensor(sse, dtype=torch.float64)
            dist.all_reduce(total)
            sse = total.item()
        if dist.get_rank() == 0:
            print(epoch, "val mse", sse / len(val.dataset))


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
seed = torch.tensor(torch.initial_seed() % 2**63)
dist.broadcast(seed, src=0)
seed = seed.item()
torch.manual_seed(seed)
run()
dist.destroy_process_group()
