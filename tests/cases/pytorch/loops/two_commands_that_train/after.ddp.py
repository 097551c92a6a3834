"""Two functions train, and either of them may be what fire calls."""

import fire
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


def train(epochs=3, batch_size=16, lr=0.1):
    torch.manual_seed(0)
    data = TensorDataset(torch.randn(64, 8), torch.randint(0, 3, (64,)))
    if batch_size % dist.get_world_size() != 0:
        raise SystemExit(f"batch size {batch_size} cannot be shared out over {dist.get_world_size()} processes")
    loader = DataLoader(data, batch_size=batch_size // dist.get_world_size(), sampler=DistributedSampler(data))
    model = nn.Linear(8, 3)
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=lr)
    ddp_model = DistributedDataParallel(model)
    if dist.get_rank() > 0:
        torch.manual_seed(dist.get_rank())
    for epoch in range(epochs):
        total = 0.0
        loader.sampler.set_epoch(epoch)
        for x, y in loader:
            optimizer.zero_grad()
            loss = criterion(ddp_model(x), y)
            loss.backward()
            optimizer.step()
            total += loss.item()
        total_ = torch.tensor(total, dtype=torch.float64)
        dist.all_reduce(total_)
        total = total_.item() / dist.get_world_size()
        if dist.get_rank() == 0:
            print(epoch, total / len(loader))


def tune(epochs=3, batch_size=16, lr=0.01):
    torch.manual_seed(0)
    data = TensorDataset(torch.randn(64, 8), torch.randint(0, 3, (64,)))
    if batch_size % dist.get_world_size() != 0:
        raise SystemExit(f"batch size {batch_size} cannot be shared out over {dist.get_world_size()} processes")
    loader = DataLoader(data, batch_size=batch_size // dist.get_world_size(), sampler=DistributedSampler(data))
    model = nn.Linear(8, 3)
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=lr)
    ddp_model = DistributedDataParallel(model)
    if dist.get_rank() > 0:
        torch.manual_seed(dist.get_rank())
    for epoch in range(epochs):
        total = 0.0
        loader.sampler.set_epoch(epoch)
        for x, y in loader:
            optimizer.zero_grad()
            loss = criterion(ddp_model(x), y)
            loss.backward()
            optimizer.step()
            total += loss.item()
        total_ = torch.tensor(total, dtype=torch.float64)
        dist.all_reduce(total_)
        total = total_.item() / dist.get_world_size()
        if dist.get_rank() == 0:
            print(epoch, total / len(loader))


if __name__ == "__main__":
    if "RANK" not in os.environ:
        raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
    dist.init_process_group("gloo")
    seed = torch.tensor(torch.initial_seed() % 2**63)
    dist.broadcast(seed, src=0)
    seed = seed.item()
    torch.manual_seed(seed)
    fire.Fire()
    dist.destroy_process_group()
