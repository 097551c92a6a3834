"""ReduceLROnPlateau decides on the validation loss: the value must be the global one on every rank."""
import torch
import torch.nn as nn
from torch.optim import lr_scheduler
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import BatchSampler
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
train_dl_data = TensorDataset(torch.randn(320, 10), torch.randn(320, 1))
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
train_dl_sampler = DistributedSampler(train_dl_data)
train_dl = DataLoader(train_dl_data, batch_size=32 // dist.get_world_size(), sampler=train_dl_sampler)
val_dl_data = TensorDataset(torch.randn(70, 10), torch.randn(70, 1))
val_dl_batches = list(BatchSampler(range(len(val_dl_data)), 32, drop_last=False))[
    dist.get_rank()::dist.get_world_size()
]
val_dl = DataLoader(val_dl_data, batch_sampler=val_dl_batches)
model = nn.Linear(10, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scheduler = lr_scheduler.ReduceLROnPlateau(optimizer, mode='min', factor=0.1, patience=3)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(20):
    train_dl.sampler.set_epoch(epoch)
    for x, y in train_dl:
        optimizer.zero_grad()
        nn.functional.mse_loss(ddp_model(x), y).backward()
        optimizer.step()
    val_loss = 0.0
    with torch.no_grad():
        for x, y in val_dl:
            val_loss += nn.functional.mse_loss(model(x), y).item()
        totals = torch.tensor([val_loss, len(val_dl)], dtype=torch.float64)
        dist.all_reduce(totals)
        val_loss, num_batches = totals[0].item(), int(totals[1])
    val_loss /= num_batches
    scheduler.step(val_loss)
del ddp_model
dist.destroy_process_group()
