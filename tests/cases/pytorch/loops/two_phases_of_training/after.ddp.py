"""Two training loops one after the other over the same loader: both get set_epoch."""
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
data = TensorDataset(torch.randn(600, 10), torch.randint(0, 4, (600,)))
if 30 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 30 cannot be shared out over {dist.get_world_size()} processes")
loader = DataLoader(data, batch_size=30 // dist.get_world_size(), sampler=DistributedSampler(data))
model = nn.Sequential(nn.Linear(10, 20), nn.ReLU(), nn.Linear(20, 4))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

if dist.get_rank() == 0:
    print("warming up")
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(seed + dist.get_rank())
for epoch in range(2):
    loader.sampler.set_epoch(loader.sampler.epoch + 1)
    for x, y in loader:
        optimizer.zero_grad()
        criterion(ddp_model(x), y).backward()
        optimizer.step()
del ddp_model

if dist.get_rank() == 0:
    print("training")
for group in optimizer.param_groups:
    group["lr"] = 0.01
ddp_model = DistributedDataParallel(model)
for epoch in range(8):
    loader.sampler.set_epoch(loader.sampler.epoch + 1)
    for x, y in loader:
        optimizer.zero_grad()
        criterion(ddp_model(x), y).backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
