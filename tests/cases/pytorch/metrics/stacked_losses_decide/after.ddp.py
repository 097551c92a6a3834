"""The losses of a pass are put into one tensor, of which the mean decides."""
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
x = torch.randn(96, 6)
y = x[:, :1] - x[:, 1:2]
train_data = TensorDataset(x, y)
if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
train_sampler = DistributedSampler(train_data)
train_loader = DataLoader(train_data, batch_size=16 // dist.get_world_size(), sampler=train_sampler)
model = nn.Linear(6, 1)
criterion = nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
best = float("inf")
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(3):
    losses = []
    train_loader.sampler.set_epoch(epoch)
    for inputs, targets in train_loader:
        optimizer.zero_grad()
        loss = criterion(ddp_model(inputs), targets)
        loss.backward()
        optimizer.step()
        losses.append(loss.detach())
    mean = torch.stack(losses).mean().item()
    totals = torch.tensor([mean, best], dtype=torch.float64)
    dist.all_reduce(totals)
    mean_value, mean_best = totals[0].item() / dist.get_world_size(), totals[1].item() / dist.get_world_size()
    if mean_value < mean_best:
        best = mean
        if dist.get_rank() == 0:
            torch.save(model.state_dict(), "best.pt")
    total = torch.tensor(mean, dtype=torch.float64)
    dist.all_reduce(total)
    mean_value = total.item() / dist.get_world_size()
    mean_losses = torch.tensor(losses, dtype=torch.float64)
    dist.all_reduce(mean_losses)
    mean_losses = list((mean_losses / dist.get_world_size()).float())
    if dist.get_rank() == 0:
        print(epoch, mean_value, torch.stack(mean_losses).max().item())
del ddp_model
dist.destroy_process_group()
