"""Several test loaders made by one comprehension, out of calls on its own variable: all processes evaluate all."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


def noisy(level):
    return TensorDataset(torch.randn(80, 8) * level, torch.randn(80, 1))


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
seed = torch.tensor(torch.initial_seed() % 2**63)
dist.broadcast(seed, src=0)
seed = seed.item()
torch.manual_seed(seed)
train_data = TensorDataset(torch.randn(200, 8), torch.randn(200, 1))
if 20 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 20 cannot be shared out over {dist.get_world_size()} processes")
train_sampler = DistributedSampler(train_data)
train_loader = DataLoader(train_data, batch_size=20 // dist.get_world_size(), sampler=train_sampler)
test_loaders = [DataLoader(noisy(level), batch_size=40) for level in (1, 2)]
model = nn.Linear(8, 1)
criterion = nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(seed + dist.get_rank())
for epoch in range(3):
    train_loader.sampler.set_epoch(epoch)
    for x, y in train_loader:
        optimizer.zero_grad()
        criterion(ddp_model(x), y).backward()
        optimizer.step()
    for loader in test_loaders:
        total = 0.0
        with torch.no_grad():
            for x, y in loader:
                total += criterion(model(x), y).item() * len(x)
        if dist.get_rank() == 0:
            print(epoch, total / len(loader.dataset))
del ddp_model
dist.destroy_process_group()
