"""x.view(batch_size, -1) reshapes by the batch size, of which each process has its share."""
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
seed = torch.tensor(torch.initial_seed() % 2**63)
dist.broadcast(seed, src=0)
seed = seed.item()
torch.manual_seed(seed)
batch_size = 32
loader_data = TensorDataset(torch.randn(640, 1, 8, 8), torch.randint(0, 10, (640,)))
if batch_size % dist.get_world_size() != 0:
    raise SystemExit(f"batch size {batch_size} cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=batch_size // dist.get_world_size(), sampler=loader_sampler)
model = nn.Linear(64, 10)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(seed + dist.get_rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for images, labels in loader:
        images = images.view(batch_size // dist.get_world_size(), -1)
        optimizer.zero_grad()
        nn.functional.cross_entropy(ddp_model(images), labels).backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
