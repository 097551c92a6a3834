"""Epoch losses are kept in lists, plotted once at the end: the reduced values enter the lists, rank 0 draws."""
import matplotlib.pyplot as plt
import torch
import torch.nn as nn
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
x = torch.linspace(0, 6, 700).unsqueeze(1)
data = TensorDataset(x, torch.sin(x))
if 35 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 35 cannot be shared out over {dist.get_world_size()} processes")
train_dl = DataLoader(data, batch_size=35 // dist.get_world_size(), sampler=DistributedSampler(data))
torch.manual_seed(0)
val_x = torch.rand(100, 1) * 6
val_dl_data = TensorDataset(val_x, torch.sin(val_x))
val_dl_batches = list(BatchSampler(range(len(val_dl_data)), 50, drop_last=False))[
    dist.get_rank()::dist.get_world_size()
]
val_dl = DataLoader(val_dl_data, batch_sampler=val_dl_batches)
model = nn.Sequential(nn.Linear(1, 32), nn.Tanh(), nn.Linear(32, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
criterion = nn.MSELoss()
train_losses, val_losses = [], []

ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(40):
    model.train()
    batch_losses = 0.0
    train_dl.sampler.set_epoch(epoch)
    for xb, yb in train_dl:
        optimizer.zero_grad()
        loss = criterion(ddp_model(xb), yb)
        loss.backward()
        optimizer.step()
        batch_losses += loss.item()
    total = torch.tensor(batch_losses, dtype=torch.float64)
    dist.all_reduce(total)
    batch_losses = total.item() / dist.get_world_size()
    train_losses.append(batch_losses / len(train_dl))
    model.eval()
    val_loss = 0.0
    with torch.no_grad():
        for xb, yb in val_dl:
            val_loss += criterion(model(xb), yb).item()
        totals = torch.tensor([val_loss, len(val_dl)], dtype=torch.float64)
        dist.all_reduce(totals)
        val_loss, num_batches = totals[0].item(), int(totals[1])
    val_losses.append(val_loss / num_batches)

if dist.get_rank() == 0:
    plt.plot(train_losses, label='train')
    plt.plot(val_losses, label='validation')
    plt.legend()
    plt.savefig('losses.png')
    plt.show()
del ddp_model
dist.destroy_process_group()
