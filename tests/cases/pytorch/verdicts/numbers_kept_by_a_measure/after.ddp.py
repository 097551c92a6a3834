"""The number of the batch with the best measure is kept, and training ends so many batches after it."""

import torch
from torch import nn
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
x = torch.randn(128, 6)
y = (x[:, 0] > 0).long()
loader_data = TensorDataset(x[:96], y[:96])
if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=16 // dist.get_world_size(), sampler=loader_sampler)
model = nn.Linear(6, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
best, seen, last, done = float("inf"), 0, 0, False


def from_rank_0(value):
    values = [value]
    dist.broadcast_object_list(values)
    return values[0]


ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(5):
    loader.sampler.set_epoch(epoch)
    for features, labels in loader:
        loss = nn.functional.cross_entropy(ddp_model(features), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        with torch.no_grad():
            measured = nn.functional.cross_entropy(model(x[96:]), y[96:]).item()
        if measured < best:
            best, last = measured, seen
        seen += 1
        if from_rank_0(seen - last > 10):
            done = True
            break
    if done:
        break
del ddp_model
dist.destroy_process_group()
