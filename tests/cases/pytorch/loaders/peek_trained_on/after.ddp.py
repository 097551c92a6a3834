"""Batches that are taken by next() within a pass and trained on are no looks: each process takes its own."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

dist.init_process_group()
torch.manual_seed(0)
x = torch.randn(64, 4); y = (x.sum(1) > 0).long()
train_data = TensorDataset(x, y)
if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
train_sampler = DistributedSampler(train_data)
train_loader = DataLoader(train_data, batch_size=16 // dist.get_world_size(), sampler=train_sampler)
unlabelled_loader = DataLoader(TensorDataset(x, y), batch_size=8, shuffle=True)
model = nn.Linear(4, 2)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
crit = nn.CrossEntropyLoss()
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    unlabelled = iter(unlabelled_loader)
    train_loader.sampler.set_epoch(epoch)
    for xb, yb in train_loader:
        extra, _ = next(unlabelled)
        opt.zero_grad()
        loss = crit(ddp_model(xb), yb) + ddp_model(extra).pow(2).mean()
        loss.backward()
        opt.step()
del ddp_model
dist.destroy_process_group()
