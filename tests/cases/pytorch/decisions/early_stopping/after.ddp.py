"""The epoch loop is left on a validation metric that does not improve."""
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
train_dl_data = TensorDataset(torch.randn(640, 10), torch.randn(640, 1))
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
train_dl_sampler = DistributedSampler(train_dl_data)
train_dl = DataLoader(train_dl_data, batch_size=32 // dist.get_world_size(), sampler=train_dl_sampler)
val_dl_data = TensorDataset(torch.randn(100, 10), torch.randn(100, 1))
val_dl_sampler = range(dist.get_rank(), len(val_dl_data), dist.get_world_size())
val_dl = DataLoader(val_dl_data, batch_size=32, sampler=val_dl_sampler)
model = nn.Linear(10, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
best, patience, waited = float("inf"), 5, 0
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(seed + dist.get_rank())
for epoch in range(200):
    train_dl.sampler.set_epoch(epoch)
    for x, y in train_dl:
        optimizer.zero_grad()
        nn.functional.mse_loss(ddp_model(x), y).backward()
        optimizer.step()
    val = 0.0
    with torch.no_grad():
        for x, y in val_dl:
            val += nn.functional.mse_loss(model(x), y, reduction="sum").item()
        total = torch.tensor(val, dtype=torch.float64)
        dist.all_reduce(total)
        val = total.item()
    if val < best:
        best, waited = val, 0
    else:
        waited += 1
        if waited >= patience:
            if dist.get_rank() == 0:
                print("early stop at", epoch)
            break
del ddp_model
dist.destroy_process_group()
