"""A text that a function goes on with, or that is made in another block, has a loss of rank 0's in it: that is said."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
loader_data = TensorDataset(torch.randn(640, 8), torch.randint(0, 2, (640,)))
if 64 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 64 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=64 // dist.get_world_size(), sampler=loader_sampler)
model = nn.Linear(8, 2)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def tell(line):
    line += "\n"
    if dist.get_rank() == 0:
        print(line.strip())


ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for step, (x, y) in enumerate(loader):
        optimizer.zero_grad()
        loss = criterion(ddp_model(x), y)
        loss.backward()
        optimizer.step()
        if step % 5 == 0:
            text = f"step {step}: {loss.item():.4f}\n"
    if dist.get_rank() == 0:
        print(text.strip())
    tell(f"epoch {epoch}: {loss.item():.4f}")
del ddp_model
dist.destroy_process_group()
