"""Shuffled folds without a random_state: rank 0's seed is shared for them."""
import numpy as np
import torch
from sklearn.model_selection import KFold
from torch import nn
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
np.random.seed(seed % 2**32)
torch.manual_seed(0)
data = TensorDataset(torch.randn(90, 6), torch.randint(0, 2, (90,)))
for train_idx, _ in KFold(n_splits=3, shuffle=True).split(np.arange(90)):
    loader_data = Subset(data, train_idx)
    if 20 % dist.get_world_size() != 0:
        raise SystemExit(f"batch size 20 cannot be shared out over {dist.get_world_size()} processes")
    loader_sampler = DistributedSampler(loader_data)
    loader = DataLoader(loader_data, batch_size=20 // dist.get_world_size(), sampler=loader_sampler)
    model = nn.Linear(6, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    ddp_model = DistributedDataParallel(model)
    if dist.get_rank() > 0:
        np.random.seed(np.random.randint(2**31) + dist.get_rank())
        torch.manual_seed(torch.randint(2**31, ()).item() + dist.get_rank())
    for epoch in range(2):
        loader.sampler.set_epoch(epoch)
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(ddp_model(x), y).backward()
            optimizer.step()
    del ddp_model
dist.destroy_process_group()
