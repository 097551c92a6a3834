"""The parts of a batch of a file's rows go to their device in a comprehension, which is taken apart at once."""

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset
import os
import torch.distributed as dist
import warnings
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class Rows(Dataset):
    def __init__(self, path):
        self.rows = torch.load(path, map_location="cpu")

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        return self.rows[i]


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("cpu:gloo,cuda:nccl" if torch.cuda.is_available() else "gloo")
if torch.cuda.is_available():
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
loader_data = Rows("rows.pt")
if 8 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=8 // dist.get_world_size(), sampler=loader_sampler)
held_out_data = Rows("held_out.pt")
held_out_sampler = range(dist.get_rank(), len(held_out_data), dist.get_world_size())
held_out = DataLoader(held_out_data, batch_size=8, sampler=held_out_sampler)
model = nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.MSELoss()
ddp_model = DistributedDataParallel(model)
warnings.filterwarnings("error", r"Using a target size \S+\[(\d+)(, 1)?]\)\).+\[\1(, 1)?]\)\)")
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for batch in loader:
        x, y = [part.to(device) for part in batch]
        optimizer.zero_grad()
        loss = criterion(ddp_model(x), y)
        loss.backward()
        optimizer.step()
    total = 0.0
    with torch.no_grad():
        for batch in held_out:
            x, y = (part.to(device) for part in batch)
            total += criterion(model(x), y).item() * len(x)
        total_ = torch.tensor(total, dtype=torch.float64)
        dist.all_reduce(total_)
        total = total_.item()
    if dist.get_rank() == 0:
        print(total / len(held_out.dataset))
del ddp_model
dist.destroy_process_group()
