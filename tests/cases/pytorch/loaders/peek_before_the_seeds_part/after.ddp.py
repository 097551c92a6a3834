"""Weights are set by a random batch while the processes still have the same random numbers."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


def train(model, loader):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    samples, _ = next(iter(DataLoader(loader.dataset, batch_size=16, shuffle=True)))
    model.bias.data[0] = samples.mean()
    ddp_model = DistributedDataParallel(model)
    if dist.get_rank() > 0:
        torch.manual_seed(dist.get_rank())
    for epoch in range(2):
        loader.sampler.set_epoch(epoch)
        for xb, yb in loader:
            opt.zero_grad()
            loss = nn.functional.cross_entropy(ddp_model(xb), yb)
            loss.backward()
            opt.step()


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
x = torch.randn(64, 4); y = (x.sum(1) > 0).long()
loader_data = TensorDataset(x, y)
if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
train(nn.Linear(4, 2), DataLoader(loader_data, batch_size=16 // dist.get_world_size(), sampler=loader_sampler))
dist.destroy_process_group()
