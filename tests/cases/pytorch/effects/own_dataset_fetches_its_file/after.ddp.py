"""A data set of the script's own that fetches its file where it is missing lets rank 0 do so by itself: no guard around the call, whose barrier only rank 0 would reach."""

import os
import urllib.request

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class Marks(Dataset):
    url = "https://example.org/marks.pt"

    def __init__(self, root, train=True, download=False):
        path = os.path.join(root, "marks.pt")
        if dist.get_rank() == 0:
            if download and not os.path.exists(path):
                os.makedirs(root, exist_ok=True)
                urllib.request.urlretrieve(self.url, path)
        dist.barrier()
        rows = torch.load(path)
        self.rows = rows[:64] if train else rows[64:]

    def __getitem__(self, index):
        return self.rows[index, :4], (self.rows[index, 4] > 0).long()

    def __len__(self):
        return len(self.rows)


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
loader_data = Marks("data", train=True, download=True)
if 8 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=8 // dist.get_world_size(), sampler=loader_sampler)
model = nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(ddp_model(x), y).backward()
        optimizer.step()
if dist.get_rank() == 0:
    torch.save(model.state_dict(), "model.pt")
del ddp_model
dist.destroy_process_group()
