"""A function trains one model after another: each is wrapped, and the loader goes on to a new order."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


def train(model, loader, optimizer, epochs):
    criterion = nn.CrossEntropyLoss()
    ddp_model = DistributedDataParallel(model)
    if dist.get_rank() > 0:
        torch.manual_seed(torch.randint(2**31, ()).item() + dist.get_rank())
    for epoch in range(epochs):
        model.train()
        total = 0.0
        loader.sampler.set_epoch(loader.sampler.epoch + 1)
        for xb, yb in loader:
            optimizer.zero_grad()
            loss = criterion(ddp_model(xb), yb)
            loss.backward()
            optimizer.step()
            total += loss.item() * len(xb)
        total_ = torch.tensor(total, dtype=torch.float64)
        dist.all_reduce(total_)
        total = total_.item()
        if dist.get_rank() == 0:
            print(f"epoch {epoch}: {total / loader.sampler.total_size:.4f}")


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
x = torch.randn(64, 4)
y = (x[:, 0] > 0).long()
loader_data = TensorDataset(x, y)
if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=16 // dist.get_world_size(), sampler=loader_sampler)

small = nn.Linear(4, 2)
train(small, loader, torch.optim.SGD(small.parameters(), lr=0.1), 3)
large = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 2))
train(large, loader, torch.optim.Adam(large.parameters(), lr=0.01), 2)
dist.destroy_process_group()
