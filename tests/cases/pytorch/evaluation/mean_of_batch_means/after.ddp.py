"""val_loss is a mean of batch means (/ len(loader)): sharded by whole batches, so that it stays exact."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import BatchSampler
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


def validate(model, loader, criterion):
    model.eval()
    val_loss = 0.0
    with torch.no_grad():
        for x, y in loader:
            val_loss += criterion(model(x), y).item()
        totals = torch.tensor([val_loss, len(loader)], dtype=torch.float64)
        dist.all_reduce(totals)
        val_loss, num_batches = totals[0].item(), int(totals[1])
    model.train()
    return val_loss / num_batches


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
train_data = TensorDataset(torch.randn(800, 5), torch.randn(800, 1))
if 40 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 40 cannot be shared out over {dist.get_world_size()} processes")
train_sampler = DistributedSampler(train_data)
train_loader = DataLoader(train_data, batch_size=40 // dist.get_world_size(), sampler=train_sampler)
val_data = TensorDataset(torch.randn(130, 5), torch.randn(130, 1))
val_batches = list(BatchSampler(range(len(val_data)), 40, drop_last=False))[dist.get_rank()::dist.get_world_size()]
val_loader = DataLoader(val_data, batch_sampler=val_batches)
model = nn.Linear(5, 1)
criterion = nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(4):
    train_loader.sampler.set_epoch(epoch)
    for x, y in train_loader:
        optimizer.zero_grad()
        criterion(ddp_model(x), y).backward()
        optimizer.step()
    validate_result = validate(model, val_loader, criterion)
    if dist.get_rank() == 0:
        print('epoch', epoch, 'val loss', validate_result)
del ddp_model
dist.destroy_process_group()
