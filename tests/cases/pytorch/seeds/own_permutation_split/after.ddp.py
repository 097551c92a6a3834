"""An own permutation picks the training and validation subsets: it must be the same on every rank."""
import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Subset, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
seed = torch.tensor(torch.initial_seed() % 2**63)
dist.broadcast(seed, src=0)
seed = seed.item()
torch.manual_seed(seed)
np.random.seed(seed % 2**32)
data = TensorDataset(torch.randn(1000, 3), torch.randn(1000, 1))
indices = np.random.permutation(len(data))
train_ds, valid_ds = Subset(data, indices[:800]), Subset(data, indices[800:])
if 50 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 50 cannot be shared out over {dist.get_world_size()} processes")
train_dl_sampler = DistributedSampler(train_ds)
train_dl = DataLoader(train_ds, batch_size=50 // dist.get_world_size(), sampler=train_dl_sampler)
model = nn.Linear(3, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(seed + dist.get_rank())
    np.random.seed((seed + dist.get_rank()) % 2**32)
for epoch in range(3):
    train_dl.sampler.set_epoch(epoch)
    for x, y in train_dl:
        optimizer.zero_grad()
        nn.functional.mse_loss(ddp_model(x), y).backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
