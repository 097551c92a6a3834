"""An epoch is tried outside the loop over epochs, then a model is made anew: each is wrapped where it is made."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


def one_step(model, a, b, optimizer):
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(model(a), b)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    return loss.item()


def train_epoch(model, loader, optimizer):
    model.train()
    total = 0.0
    loader.sampler.set_epoch(loader.sampler.epoch + 1)
    for a, b in loader:
        total += one_step(model, a, b, optimizer) * len(a)
    total_ = torch.tensor(total, dtype=torch.float64)
    dist.all_reduce(total_)
    total = total_.item()
    return total / loader.sampler.total_size


def fresh():
    model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
    return model, torch.optim.SGD(model.parameters(), lr=0.1)


def main():
    torch.manual_seed(0)
    x = torch.randn(64, 4)
    loader_data = TensorDataset(x, x.sum(1, keepdim=True))
    if 16 % dist.get_world_size() != 0:
        raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
    loader_sampler = DistributedSampler(loader_data)
    loader = DataLoader(loader_data, batch_size=16 // dist.get_world_size(), sampler=loader_sampler)
    model, optimizer = fresh()
    ddp_model = DistributedDataParallel(model)
    if dist.get_rank() > 0:
        torch.manual_seed(torch.randint(2**31, ()).item() + dist.get_rank())
    _ = train_epoch(ddp_model, loader, optimizer)
    if dist.get_rank() == 0:
        print("tried", sum(weight.abs().sum().item() for weight in model.parameters()))
    state = torch.get_rng_state()
    dist.broadcast(state, src=0)
    torch.set_rng_state(state)
    model, optimizer = fresh()
    ddp_model = DistributedDataParallel(model)
    if dist.get_rank() > 0:
        torch.manual_seed(torch.randint(2**31, ()).item() + dist.get_rank())
    for epoch in range(3):
        loss = train_epoch(ddp_model, loader, optimizer)
        if dist.get_rank() == 0:
            print(epoch, loss)
    if dist.get_rank() == 0:
        torch.save(model.state_dict(), "model.pt")


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
main()
dist.destroy_process_group()
