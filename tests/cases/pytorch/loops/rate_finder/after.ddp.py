"""A rate finder trains a deep copy of the model first, with an optimizer of its own."""
import copy
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
seed = torch.tensor(torch.initial_seed() % 2**63)
dist.broadcast(seed, src=0)
seed = seed.item()
torch.manual_seed(seed)
loader_data = TensorDataset(torch.randn(640, 10), torch.randn(640, 1))
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=32 // dist.get_world_size(), sampler=loader_sampler)
criterion = nn.MSELoss()


def find_rate(model):
    trial = copy.deepcopy(model)
    optimizer = torch.optim.SGD(trial.parameters(), lr=1e-6)
    best_rate, best_loss, rate = 1e-6, float("inf"), 1e-6
    ddp_trial = DistributedDataParallel(trial)
    if dist.get_rank() > 0:
        torch.manual_seed(torch.initial_seed() + dist.get_rank())
    loader.sampler.set_epoch(loader.sampler.epoch + 1)
    for x, y in loader:
        optimizer.param_groups[0]["lr"] = rate
        optimizer.zero_grad()
        loss = criterion(ddp_trial(x), y)
        loss.backward()
        optimizer.step()
        totals = torch.tensor([loss.item(), best_loss], dtype=torch.float64)
        dist.all_reduce(totals)
        mean_loss, mean_best_loss = totals[0].item() / dist.get_world_size(), totals[1].item() / dist.get_world_size()
        if mean_loss < mean_best_loss:
            best_rate, best_loss = rate, loss.item()
        rate *= 1.5
    return best_rate / 10


model = nn.Linear(10, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=find_rate(model))
ddp_model = DistributedDataParallel(model)
for epoch in range(3):
    loader.sampler.set_epoch(loader.sampler.epoch + 1)
    for x, y in loader:
        optimizer.zero_grad()
        criterion(ddp_model(x), y).backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
