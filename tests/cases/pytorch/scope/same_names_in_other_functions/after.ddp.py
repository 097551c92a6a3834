"""optimizer, loader and epoch mean other things in functions that do not train: those are left alone."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


def optimizer(text):
    return text.strip().lower()


def epoch(loader):
    return [optimizer(line) for line in loader]


def train():
    loader_data = TensorDataset(torch.randn(320, 10), torch.randn(320, 1))
    if 32 % dist.get_world_size() != 0:
        raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
    loader_sampler = DistributedSampler(loader_data)
    loader = DataLoader(loader_data, batch_size=32 // dist.get_world_size(), sampler=loader_sampler)
    model = nn.Linear(10, 1)
    sgd = torch.optim.SGD(model.parameters(), lr=0.01)
    ddp_model = DistributedDataParallel(model)
    if dist.get_rank() > 0:
        torch.manual_seed(torch.initial_seed() + dist.get_rank())
    for i in range(3):
        loader.sampler.set_epoch(i)
        for x, y in loader:
            sgd.zero_grad()
            nn.functional.mse_loss(ddp_model(x), y).backward()
            sgd.step()


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
seed = torch.tensor(torch.initial_seed() % 2**63)
dist.broadcast(seed, src=0)
seed = seed.item()
torch.manual_seed(seed)
if dist.get_rank() == 0:
    print(epoch(["  Adam ", "SGD"]))
train()
dist.destroy_process_group()
