"""A data set that makes samples says that it has ten billion of them: a list of their numbers would take all memory."""

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class Sequences(Dataset):
    def __init__(self, length):
        self.length = length

    def __len__(self):
        return 9_999_999_999

    def __getitem__(self, index):
        digits = torch.rand(self.length)
        return digits, int(digits[0] > 0.5)


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
loader_data = Sequences(8)
if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = range(dist.get_rank(), len(loader_data), dist.get_world_size())
loader = DataLoader(loader_data, batch_size=16 // dist.get_world_size(), sampler=loader_sampler)
model = nn.Linear(8, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for step, (digits, label) in enumerate(loader):
    optimizer.zero_grad()
    nn.functional.cross_entropy(ddp_model(digits), label).backward()
    optimizer.step()
    if step == 30:
        break
if dist.get_rank() == 0:
    torch.save(model.state_dict(), "model.pt")
del ddp_model
dist.destroy_process_group()
