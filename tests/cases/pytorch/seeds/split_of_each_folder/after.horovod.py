"""A loop that prepares the data draws from each folder: all processes draw the same, and list the same files."""
import os
import random

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset
import horovod.torch as hvd
import warnings
from torch.utils.data.distributed import DistributedSampler


def read_split(root, rate=0.2):
    train, held = [], []
    for folder in sorted(os.listdir(root)):
        files = [os.path.join(root, folder, name) for name in os.listdir(os.path.join(root, folder))]
        files.sort()
        chosen = random.sample(files, k=int(len(files) * rate))
        for file in files:
            if file in chosen:
                held.append(file)
            else:
                train.append(file)
    if hvd.rank() == 0:
        print(len(train), "for training")
    return train, held


class Files(Dataset):
    def __init__(self, files):
        self.files = files

    def __len__(self):
        return len(self.files)

    def __getitem__(self, i):
        return torch.load(self.files[i])


hvd.init()
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
random.seed(seed % 2**32)
train_files, held_files = read_split("data")
loader_data = Files(train_files)
if 8 % hvd.size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=8 // hvd.size(), sampler=loader_sampler)
held_data = Files(held_files)
held_sampler = range(hvd.rank(), len(held_data), hvd.size())
held_loader = DataLoader(held_data, batch_size=8, sampler=held_sampler)
model = nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.1), nn.Linear(8, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
warnings.filterwarnings("error", r"Using a target size \S+\[(\d+)(, 1)?]\)\).+\[\1(, 1)?]\)\)")
if hvd.rank() > 0:
    torch.manual_seed(torch.initial_seed() + hvd.rank())
    random.seed((torch.initial_seed() + hvd.rank()) % 2**32)
for epoch in range(3):
    model.train()
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        loss = nn.functional.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    model.eval()
    total, count = 0.0, 0
    with torch.no_grad():
        for x, y in held_loader:
            total += nn.functional.mse_loss(model(x), y, reduction="sum").item()
            count += len(x)
        totals = hvd.allreduce(torch.tensor([total, count], dtype=torch.float64), op=hvd.Sum)
        total, count = totals[0].item(), int(totals[1])
    if hvd.rank() == 0:
        print(epoch, total / count)
hvd.shutdown()
