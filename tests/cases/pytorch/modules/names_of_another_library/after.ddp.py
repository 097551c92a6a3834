"""What a library gives that is not installed here has names that parts of others have too: those are theirs."""
import matplotlib.pyplot as plt
import torch
import torch.nn as nn
import torch.utils.data
from quotes import TimeSeries
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
data = TimeSeries(key="none").daily("IBM")
xticks = [row.day for row in data]
if dist.get_rank() == 0:
    plt.xticks(range(len(xticks)), xticks)


class Days(torch.utils.data.Dataset):
    def __len__(self):
        return 640

    def __getitem__(self, index):
        x = torch.full((10,), float(index))
        return x, x[:1]


loader_data = Days()
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = torch.utils.data.DataLoader(loader_data, batch_size=32 // dist.get_world_size(), sampler=loader_sampler)
model = nn.Linear(10, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(ddp_model(x), y).backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
