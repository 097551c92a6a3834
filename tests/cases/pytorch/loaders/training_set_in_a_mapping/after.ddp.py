"""The training set stands in a mapping, from which the sampler takes it."""
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
settings = {"train": dict(dataset=TensorDataset(torch.randn(200, 8), torch.randn(200, 1)), batch_size=20, shuffle=True)}
if settings["train"]["batch_size"] % dist.get_world_size() != 0:
    raise SystemExit(f'batch size {settings["train"]["batch_size"]} cannot be shared out over {dist.get_world_size()} processes')
train_sampler = DistributedSampler(settings["train"]["dataset"])
train_loader = DataLoader(
    sampler=train_sampler,
    **dict(settings["train"], batch_size=settings["train"]["batch_size"] // dist.get_world_size(), shuffle=False),
)
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
del ddp_model
dist.destroy_process_group()
