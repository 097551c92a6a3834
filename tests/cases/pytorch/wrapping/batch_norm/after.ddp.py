"""BatchNorm sees local statistics: converted, with a review; buffers are made equal before the evaluation."""
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
train_dl_data = TensorDataset(torch.randn(640, 10), torch.randint(0, 3, (640,)))
if 64 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 64 cannot be shared out over {dist.get_world_size()} processes")
if dist.get_world_size() > 1 and (len(train_dl_data) - 1) % 64 < dist.get_world_size():
    raise SystemExit("the last batch leaves each process one sample, and BatchNorm1d needs two: use drop_last=True")
train_dl_sampler = DistributedSampler(train_dl_data)
train_dl = DataLoader(train_dl_data, batch_size=64 // dist.get_world_size(), sampler=train_dl_sampler)
val_dl_data = TensorDataset(torch.randn(100, 10), torch.randint(0, 3, (100,)))
val_dl_sampler = range(dist.get_rank(), len(val_dl_data), dist.get_world_size())
val_dl = DataLoader(val_dl_data, batch_size=64, sampler=val_dl_sampler)
model = nn.Sequential(nn.Linear(10, 32), nn.BatchNorm1d(32), nn.ReLU(), nn.Linear(32, 3))
optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(3):
    model.train()
    train_dl.sampler.set_epoch(epoch)
    for x, y in train_dl:
        optimizer.zero_grad()
        nn.functional.cross_entropy(ddp_model(x), y).backward()
        optimizer.step()
    for buffer in model.buffers():
        dist.broadcast(buffer, src=0)
    model.eval()
    hits = 0
    with torch.no_grad():
        for x, y in val_dl:
            hits += (model(x).argmax(1) == y).sum().item()
        total = torch.tensor(hits, dtype=torch.float64)
        dist.all_reduce(total)
        hits = int(total)
    if dist.get_rank() == 0:
        print(epoch, hits / len(val_dl.dataset))
del ddp_model
dist.destroy_process_group()
