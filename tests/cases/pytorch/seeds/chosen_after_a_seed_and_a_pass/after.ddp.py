"""Samples are chosen after a seed and a pass, which may have drawn from it: rank 0 tells which."""
import torch
from torch import nn
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
x = torch.randn(64, 4)
y = (x.sum(1) > 0).long()
loader_data = TensorDataset(x, y)
if 4 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 4 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=4 // dist.get_world_size(), sampler=loader_sampler)
model = nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss()
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for xb, yb in loader:
        optimizer.zero_grad()
        loss = criterion(ddp_model(xb), yb)
        loss.backward()
        optimizer.step()
torch.manual_seed(1)
for xb, yb in loader:
    total = torch.tensor(len(xb), dtype=torch.float64)
    dist.all_reduce(total)
    total_xb = int(total)
    if dist.get_rank() == 0:
        print(total_xb)
shared = [torch.randperm(4)]
dist.broadcast_object_list(shared)
randperm_result = shared[0]
if dist.get_rank() == 0:
    print(randperm_result)
del ddp_model
dist.destroy_process_group()
