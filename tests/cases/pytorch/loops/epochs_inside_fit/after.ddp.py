"""The epoch loop is inside fit(model, loader, ...), called once; it returns the history of global losses."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
import warnings
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


def fit(model, loader, optimizer, criterion, epochs):
    history = []
    ddp_model = DistributedDataParallel(model)
    warnings.filterwarnings("error", r"Using a target size \S+\[(\d+)(, 1)?]\)\).+\[\1(, 1)?]\)\)")
    if dist.get_rank() > 0:
        torch.manual_seed(torch.initial_seed() + dist.get_rank())
    for epoch in range(epochs):
        total, seen = 0.0, 0
        loader.sampler.set_epoch(epoch)
        for x, y in loader:
            optimizer.zero_grad()
            loss = criterion(ddp_model(x), y)
            loss.backward()
            optimizer.step()
            total += loss.item() * x.size(0)
            seen += x.size(0)
        totals = torch.tensor([total, seen], dtype=torch.float64)
        dist.all_reduce(totals)
        total, seen = totals[0].item(), int(totals[1])
        history.append(total / seen)
    return history


if __name__ == '__main__':
    if "RANK" not in os.environ:
        raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
    dist.init_process_group("gloo")
    seed = torch.tensor(torch.initial_seed() % 2**63)
    dist.broadcast(seed, src=0)
    seed = seed.item()
    torch.manual_seed(seed)
    X = torch.randn(1500, 3)
    w = torch.tensor([[1.0], [-2.0], [0.5]])
    loader_data = TensorDataset(X, X @ w)
    if 30 % dist.get_world_size() != 0:
        raise SystemExit(f"batch size 30 cannot be shared out over {dist.get_world_size()} processes")
    loader_sampler = DistributedSampler(loader_data)
    loader = DataLoader(loader_data, batch_size=30 // dist.get_world_size(), sampler=loader_sampler)
    model = nn.Linear(3, 1)
    history = fit(model, loader, torch.optim.SGD(model.parameters(), lr=0.01), nn.MSELoss(), epochs=8)
    if dist.get_rank() == 0:
        print('last loss', history[-1])
    dist.destroy_process_group()
