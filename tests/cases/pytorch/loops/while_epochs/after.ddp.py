"""A while loop counts the epochs by hand; set_epoch uses the counter."""
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
MAX_EPOCH = 6
loader_data = TensorDataset(torch.randn(320, 5), torch.randint(0, 2, (320,)))
if 20 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 20 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=20 // dist.get_world_size(), sampler=loader_sampler)
model = nn.Linear(5, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.3)

epoch = 0
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(seed + dist.get_rank())
while epoch < MAX_EPOCH:
    loader.sampler.set_epoch(loader.sampler.epoch + 1)
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(ddp_model(x), y).backward()
        optimizer.step()
    epoch += 1
    if dist.get_rank() == 0:
        print("finished", epoch, "of", MAX_EPOCH)
del ddp_model
dist.destroy_process_group()
