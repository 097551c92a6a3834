"""The last group of an epoch may be incomplete: all processes have as many batches, so they step together."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
ACCUMULATE = 4
torch.manual_seed(0)
loader_data = TensorDataset(torch.randn(320, 4), torch.randint(0, 3, (320,)))
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=32 // dist.get_world_size(), sampler=loader_sampler)
model = nn.Linear(4, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 5)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(3):
    running = 0.0
    optimizer.zero_grad()
    loader.sampler.set_epoch(epoch)
    for i, (x, y) in enumerate(loader):
        loss = nn.functional.cross_entropy(ddp_model(x), y)
        (loss / ACCUMULATE).backward()
        running += loss.item()
        if (i + 1) % ACCUMULATE == 0 or i + 1 == len(loader):
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            scheduler.step()
            optimizer.zero_grad()
    total = torch.tensor(running, dtype=torch.float64)
    dist.all_reduce(total)
    running = total.item() / dist.get_world_size()
    if dist.get_rank() == 0:
        print(epoch, running / len(loader))
del ddp_model
dist.destroy_process_group()
