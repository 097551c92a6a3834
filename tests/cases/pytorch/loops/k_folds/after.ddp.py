"""Model, loader and optimizer are made anew in each fold of a cross-validation."""
import numpy as np
import torch
import torch.nn as nn
from sklearn.model_selection import KFold
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
data = TensorDataset(torch.randn(500, 10), torch.randint(0, 2, (500,)))
scores = []
for fold, (train_idx, val_idx) in enumerate(KFold(n_splits=5, shuffle=True, random_state=0).split(np.arange(500))):
    train_dl_data = Subset(data, train_idx)
    if 20 % dist.get_world_size() != 0:
        raise SystemExit(f"batch size 20 cannot be shared out over {dist.get_world_size()} processes")
    train_dl_sampler = DistributedSampler(train_dl_data)
    train_dl = DataLoader(train_dl_data, batch_size=20 // dist.get_world_size(), sampler=train_dl_sampler)
    val_dl_data = Subset(data, val_idx)
    val_dl_sampler = range(dist.get_rank(), len(val_dl_data), dist.get_world_size())
    val_dl = DataLoader(val_dl_data, batch_size=20, sampler=val_dl_sampler)
    model = nn.Linear(10, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    ddp_model = DistributedDataParallel(model)
    if dist.get_rank() > 0:
        torch.manual_seed(torch.randint(2**31, ()).item() + dist.get_rank())
    for epoch in range(3):
        train_dl.sampler.set_epoch(epoch)
        for x, y in train_dl:
            optimizer.zero_grad()
            nn.functional.cross_entropy(ddp_model(x), y).backward()
            optimizer.step()
    del ddp_model
    hits = 0
    with torch.no_grad():
        for x, y in val_dl:
            hits += (model(x).argmax(1) == y).sum().item()
        total = torch.tensor(hits, dtype=torch.float64)
        dist.all_reduce(total)
        hits = int(total)
    scores.append(hits / len(val_idx))
if dist.get_rank() == 0:
    print(np.mean(scores))
dist.destroy_process_group()
