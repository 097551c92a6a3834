"""A function makes both loaders, and nothing tells where it makes which: it gets a flag."""

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
torch.manual_seed(2)
x, y = torch.randn(400, 8), torch.randint(0, 3, (400,))


def make(data, size, for_training=False):
    if for_training:
        if size % dist.get_world_size() != 0:
            raise SystemExit(f"batch size {size} cannot be shared out over {dist.get_world_size()} processes")
        sampler = DistributedSampler(data)
        share = size // dist.get_world_size()
    else:
        sampler = range(dist.get_rank(), len(data), dist.get_world_size())
        share = size
    return DataLoader(data, batch_size=share, sampler=sampler)


train_loader = make(TensorDataset(x[:320], y[:320]), 32, for_training=True)
test_loader = make(TensorDataset(x[320:], y[320:]), 80)
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Dropout(), nn.Linear(16, 3))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(2 + dist.get_rank())
for epoch in range(3):
    model.train()
    train_loader.sampler.set_epoch(epoch)
    for inputs, labels in train_loader:
        optimizer.zero_grad()
        criterion(ddp_model(inputs), labels).backward()
        optimizer.step()
    hits = 0
    model.eval()
    with torch.no_grad():
        for inputs, labels in test_loader:
            hits += (model(inputs).argmax(1) == labels).sum().item()
        total = torch.tensor(hits, dtype=torch.float64)
        dist.all_reduce(total)
        hits = int(total)
    if dist.get_rank() == 0:
        print(epoch, hits / len(test_loader.dataset))
del ddp_model
dist.destroy_process_group()
