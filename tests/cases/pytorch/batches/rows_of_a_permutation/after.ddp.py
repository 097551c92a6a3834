"""Batches are rows of a tensor, in the order of a permutation."""
import torch
import torch.nn as nn
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
seed = torch.tensor(torch.initial_seed() % 2**63)
dist.broadcast(seed, src=0)
seed = seed.item()
torch.manual_seed(seed)
X = torch.randn(1000, 10)
Y = X.sum(1, keepdim=True)
model = nn.Linear(10, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
batch_size = 50


def fill_and_share_rows(batch):
    rows = torch.arange(dist.get_rank(), dist.get_rank() + len(batch), dist.get_world_size()) % len(batch)
    return batch[rows]


ddp_model = DistributedDataParallel(model)
for epoch in range(10):
    permutation = torch.randperm(X.size(0))
    for i in range(0, X.size(0), batch_size):
        idx = permutation[i:i + batch_size]
        loss = nn.functional.mse_loss(ddp_model(fill_and_share_rows(X[idx])), fill_and_share_rows(Y[idx]))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    total = torch.tensor(loss.item(), dtype=torch.float64)
    dist.all_reduce(total)
    mean_loss = total.item() / dist.get_world_size()
    if dist.get_rank() == 0:
        print(epoch, mean_loss)
del ddp_model
dist.destroy_process_group()
