"""What is decided saves and prints only: no process waits for another."""
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
torch.manual_seed(0)
x = torch.randn(400, 6)
y = (x[:, 0] + 0.3 * torch.randn(400) > 0).long()
train_data = TensorDataset(x[:320], y[:320])
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
train_sampler = DistributedSampler(train_data)
train_loader = DataLoader(train_data, batch_size=32 // dist.get_world_size(), sampler=train_sampler)
model = nn.Linear(6, 2)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
best = 1e9
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(20):
    train_loader.sampler.set_epoch(epoch)
    for data, target in train_loader:
        optimizer.zero_grad()
        criterion(ddp_model(data), target).backward()
        optimizer.step()
    with torch.no_grad():
        val = criterion(model(x[320:]), y[320:]).item()
    if dist.get_rank() == 0:
        print(val)
    if val < best:
        best = val
        if dist.get_rank() == 0:
            torch.save(model.state_dict(), "best.pt")
del ddp_model
dist.destroy_process_group()
