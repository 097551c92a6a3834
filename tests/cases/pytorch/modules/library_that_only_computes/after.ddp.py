"""A library that is known to do nothing but compute need not be installed here; what sorts files sorts them."""
import os

import torch
from natsort import natsorted
from torch import nn
from torch.utils.data import DataLoader, Dataset
import torch.distributed as dist
import warnings
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class Rows(Dataset):
    def __init__(self, folder):
        self.names = natsorted(os.listdir(folder))
        self.folder = folder

    def __len__(self):
        return len(self.names)

    def __getitem__(self, index):
        row = torch.load(os.path.join(self.folder, self.names[index]))
        return row[:-1], row[-1:]


class Trainer:
    def __init__(self, names):
        self.names = names
        self.model = nn.Linear(8, 1)

    def fit(self, loader):
        optimizer = torch.optim.SGD(self.model.parameters(), lr=0.05)
        self.ddp_model = DistributedDataParallel(self.model)
        warnings.filterwarnings("error", r"Using a target size \S+\[(\d+)(, 1)?]\)\).+\[\1(, 1)?]\)\)")
        for epoch in range(2):
            loader.sampler.set_epoch(epoch)
            for x, y in loader:
                optimizer.zero_grad()
                nn.functional.mse_loss(self.ddp_model(x), y).backward()
                optimizer.step()
        del self.ddp_model


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
rows = Rows("rows")
trainer = Trainer(natsorted(rows.names))
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(rows)
trainer.fit(DataLoader(rows, batch_size=32 // dist.get_world_size(), sampler=loader_sampler))
dist.destroy_process_group()
