"""The best weights are kept in memory (copy.deepcopy of the state dict) and loaded back at the end."""
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
torch.manual_seed(0)
train_dl_data = TensorDataset(torch.randn(400, 6), torch.randn(400, 1))
if 20 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 20 cannot be shared out over {dist.get_world_size()} processes")
train_dl_sampler = DistributedSampler(train_dl_data)
train_dl = DataLoader(train_dl_data, batch_size=20 // dist.get_world_size(), sampler=train_dl_sampler)
val_dl_data = TensorDataset(torch.randn(60, 6), torch.randn(60, 1))
val_dl_sampler = range(dist.get_rank(), len(val_dl_data), dist.get_world_size())
val_dl = DataLoader(val_dl_data, batch_size=20, sampler=val_dl_sampler)
model = nn.Linear(6, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
best_loss = float('inf')
best_model_wts = copy.deepcopy(model.state_dict())

ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(5):
    train_dl.sampler.set_epoch(epoch)
    for x, y in train_dl:
        optimizer.zero_grad()
        nn.functional.mse_loss(ddp_model(x), y).backward()
        optimizer.step()
    sse = 0.0
    with torch.no_grad():
        for x, y in val_dl:
            sse += nn.functional.mse_loss(model(x), y, reduction='sum').item()
        total = torch.tensor(sse, dtype=torch.float64)
        dist.all_reduce(total)
        sse = total.item()
    if sse < best_loss:
        best_loss = sse
        best_model_wts = copy.deepcopy(model.state_dict())

model.load_state_dict(best_model_wts)
if dist.get_rank() == 0:
    torch.save(model.state_dict(), 'best_model.pt')
    print('best sse', best_loss)
del ddp_model
dist.destroy_process_group()
