"""ReduceLROnPlateau decides on the mean training loss: a local value would let the rates drift apart."""
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
train_dl_data = TensorDataset(torch.randn(320, 10), torch.randn(320, 1))
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
train_dl_sampler = DistributedSampler(train_dl_data)
train_dl = DataLoader(train_dl_data, batch_size=32 // dist.get_world_size(), sampler=train_dl_sampler)
model = nn.Linear(10, 1)
optimizer = torch.optim.Adam(model.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, patience=5)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(20):
    losses = []
    train_dl.sampler.set_epoch(epoch)
    for x, y in train_dl:
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(ddp_model(x), y)
        losses.append(loss.item())
        loss.backward()
        optimizer.step()
    mean_loss = sum(losses) / len(losses)
    total = torch.tensor(mean_loss, dtype=torch.float64)
    dist.all_reduce(total)
    global_mean_loss = total.item() / dist.get_world_size()
    scheduler.step(global_mean_loss)
    if dist.get_rank() == 0:
        print(f'Loss at epoch {epoch} was {global_mean_loss:.5f}')
del ddp_model
dist.destroy_process_group()
