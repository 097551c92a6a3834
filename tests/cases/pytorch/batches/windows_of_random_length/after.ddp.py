"""The length of the window is drawn for each step: without a shared draw ranks take different numbers of steps."""
import numpy as np
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
np.random.seed(seed % 2**32)
corpus = torch.randint(0, 40, (2000, 16))
model = nn.Sequential(nn.Embedding(40, 16), nn.Linear(16, 40))
optimizer = torch.optim.SGD(model.parameters(), lr=1.0)


def fill_and_share_rows(batch):
    rows = torch.arange(dist.get_rank(), dist.get_rank() + len(batch), dist.get_world_size()) % len(batch)
    return batch[rows]


ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(seed + dist.get_rank())
for epoch in range(2):
    i = 0
    while i < corpus.size(0) - 2:
        length = max(5, int(np.random.normal(35, 5)))
        length = min(length, corpus.size(0) - 1 - i)
        x, y = fill_and_share_rows(corpus[i:i + length]), fill_and_share_rows(corpus[i + 1:i + 1 + length])
        optimizer.zero_grad()
        nn.functional.cross_entropy(ddp_model(x).reshape(-1, 40), y.reshape(-1)).backward()
        optimizer.step()
        i += length
del ddp_model
dist.destroy_process_group()
