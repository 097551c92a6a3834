"""Each fold has noise of its own, on ranks above 0 as well: a seed that is set once is no seed for each of them."""

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
np.random.seed(0)
x = torch.randn(96, 6)
y = (x[:, 0] > 0).long()


class Noisy(Dataset):
    def __init__(self, rows):
        self.rows = rows

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        return x[self.rows[i]] + float(np.random.normal(0, 0.1)), y[self.rows[i]]


for fold in range(3):
    rows = [i for i in range(96) if i % 3 != fold]
    loader_data = Noisy(rows)
    if 16 % dist.get_world_size() != 0:
        raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
    loader_sampler = DistributedSampler(loader_data)
    loader = DataLoader(loader_data, batch_size=16 // dist.get_world_size(), sampler=loader_sampler)
    model = nn.Sequential(nn.Linear(6, 16), nn.Dropout(0.5), nn.Linear(16, 2))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    ddp_model = DistributedDataParallel(model)
    if dist.get_rank() > 0:
        np.random.seed(np.random.randint(2**31) + dist.get_rank())
        torch.manual_seed(torch.randint(2**31, ()).item() + dist.get_rank())
    for epoch in range(2):
        loader.sampler.set_epoch(epoch)
        for a, b in loader:
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(ddp_model(a), b)
            loss.backward()
            optimizer.step()
    del ddp_model
    if dist.get_rank() == 0:
        print(fold, "trained")
dist.destroy_process_group()
