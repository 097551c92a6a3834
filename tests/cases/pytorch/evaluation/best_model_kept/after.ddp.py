"""The best model is kept by its global accuracy: the comparison must come out the same on all ranks, the file is written once."""
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
train_data = TensorDataset(torch.randn(900, 10), torch.randint(0, 2, (900,)))
if 30 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 30 cannot be shared out over {dist.get_world_size()} processes")
train_sampler = DistributedSampler(train_data)
train_loader = DataLoader(train_data, batch_size=30 // dist.get_world_size(), sampler=train_sampler)
val_data = TensorDataset(torch.randn(99, 10), torch.randint(0, 2, (99,)))
val_sampler = range(dist.get_rank(), len(val_data), dist.get_world_size())
val_loader = DataLoader(val_data, batch_size=30, sampler=val_sampler)
model = nn.Sequential(nn.Linear(10, 10), nn.ReLU(), nn.Linear(10, 2))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
best_acc = 0.0

ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(10):
    model.train()
    train_loader.sampler.set_epoch(epoch)
    for x, y in train_loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(ddp_model(x), y).backward()
        optimizer.step()
    model.eval()
    correct = 0
    with torch.no_grad():
        for x, y in val_loader:
            correct += (model(x).argmax(1) == y).sum().item()
        total = torch.tensor(correct, dtype=torch.float64)
        dist.all_reduce(total)
        correct = int(total)
    acc = correct / len(val_loader.dataset)
    if acc > best_acc:
        best_acc = acc
        if dist.get_rank() == 0:
            torch.save(model.state_dict(), "best.pth")
            print("epoch", epoch, "new best", best_acc)
if dist.get_rank() == 0:
    print("best accuracy", best_acc)
del ddp_model
dist.destroy_process_group()
