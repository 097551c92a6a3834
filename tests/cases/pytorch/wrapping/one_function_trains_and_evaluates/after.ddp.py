"""One function trains or evaluates, by a flag, with a branch for each; only where it trains it gets the wrapper."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


def run(loader, model, optimizer=None):
    total = 0.0
    for inputs, target in loader:
        if optimizer is not None:
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(model(inputs), target, reduction="sum")
            (loss * dist.get_world_size()).backward()
            optimizer.step()
        else:
            with torch.no_grad():
                loss = nn.functional.cross_entropy(
                    (model.module if isinstance(model, DistributedDataParallel) else model)(inputs),
                    target,
                    reduction="sum",
                )
        total += loss.item()
    total_ = torch.tensor(total, dtype=torch.float64)
    dist.all_reduce(total_)
    total = total_.item()
    return total


def main():
    torch.manual_seed(0)
    x, y = torch.randn(64, 10), torch.randint(0, 3, (64,))
    train_data = TensorDataset(x, y)
    if 16 % dist.get_world_size() != 0:
        raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
    train_sampler = DistributedSampler(train_data)
    train_loader = DataLoader(train_data, batch_size=16 // dist.get_world_size(), sampler=train_sampler)
    valid_data = TensorDataset(x, y)
    valid_sampler = range(dist.get_rank(), len(valid_data), dist.get_world_size())
    valid_loader = DataLoader(valid_data, batch_size=16, sampler=valid_sampler)
    model = nn.Sequential(nn.Linear(10, 8), nn.ReLU(), nn.Linear(8, 3))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    ddp_model = DistributedDataParallel(model)
    if dist.get_rank() > 0:
        torch.manual_seed(dist.get_rank())
    for epoch in range(2):
        train_loader.sampler.set_epoch(epoch)
        run(train_loader, ddp_model, optimizer)
        run_result = run(valid_loader, model)
        if dist.get_rank() == 0:
            print(f"epoch {epoch}: {run_result:.4f}")


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
main()
dist.destroy_process_group()
