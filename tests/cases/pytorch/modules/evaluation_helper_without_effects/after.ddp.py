"""A helper module computes the accuracy of one batch: it is followed, and the sum is reduced in the script."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

from metrics import count_hits
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
train_dl_data = TensorDataset(torch.randn(320, 10), torch.randint(0, 2, (320,)))
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
train_dl_sampler = DistributedSampler(train_dl_data)
train_dl = DataLoader(train_dl_data, batch_size=32 // dist.get_world_size(), sampler=train_dl_sampler)
test_dl_data = TensorDataset(torch.randn(65, 10), torch.randint(0, 2, (65,)))
test_dl_sampler = range(dist.get_rank(), len(test_dl_data), dist.get_world_size())
test_dl = DataLoader(test_dl_data, batch_size=32, sampler=test_dl_sampler)
model = nn.Linear(10, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    train_dl.sampler.set_epoch(epoch)
    for x, y in train_dl:
        optimizer.zero_grad()
        nn.functional.cross_entropy(ddp_model(x), y).backward()
        optimizer.step()
    hits = 0
    with torch.no_grad():
        for x, y in test_dl:
            hits += count_hits(model(x), y)
        total = torch.tensor(hits, dtype=torch.float64)
        dist.all_reduce(total)
        hits = int(total)
    if dist.get_rank() == 0:
        print(epoch, hits / len(test_dl.dataset))
del ddp_model
dist.destroy_process_group()
