"""Test data are shuffled and the last batch is dropped: other samples are evaluated each time."""
import torch
from torch import nn
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
x = torch.randn(110, 6)
y = (x[:, 0] > 0).long()
train_data = TensorDataset(x[:80], y[:80])
if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
train_sampler = DistributedSampler(train_data)
train_loader = DataLoader(train_data, batch_size=16 // dist.get_world_size(), sampler=train_sampler)
test_data = TensorDataset(x[80:], y[80:])
test_batches = list(BatchSampler(range(len(test_data)), 16, drop_last=True))[dist.get_rank()::dist.get_world_size()]
test_loader = DataLoader(test_data, batch_sampler=test_batches)
model = nn.Linear(6, 2)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    train_loader.sampler.set_epoch(epoch)
    for a, b in train_loader:
        optimizer.zero_grad()
        criterion(ddp_model(a), b).backward()
        optimizer.step()
right, seen = 0, 0
with torch.no_grad():
    for a, b in test_loader:
        right += (model(a).argmax(1) == b).sum().item()
        seen += len(b)
    totals = torch.tensor([right, seen], dtype=torch.float64)
    dist.all_reduce(totals)
    right, seen = int(totals[0]), int(totals[1])
if dist.get_rank() == 0:
    print(right / seen)
del ddp_model
dist.destroy_process_group()
