"""The loader called test_loader trains and the one called train_loader evaluates: use decides, not the name."""
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
a = TensorDataset(torch.randn(640, 4), torch.randint(0, 3, (640,)))
b = TensorDataset(torch.randn(100, 4), torch.randint(0, 3, (100,)))
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
test_loader = DataLoader(a, batch_size=32 // dist.get_world_size(), sampler=DistributedSampler(a))
train_sampler = range(dist.get_rank(), len(b), dist.get_world_size())
train_loader = DataLoader(b, batch_size=32, sampler=train_sampler)

model = nn.Linear(4, 3)
sgd = torch.optim.SGD(model.parameters(), lr=0.1)

ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(seed + dist.get_rank())
for epoch in range(3):
    test_loader.sampler.set_epoch(epoch)
    for x, y in test_loader:
        sgd.zero_grad()
        nn.functional.cross_entropy(ddp_model(x), y).backward()
        sgd.step()
    good = 0
    with torch.no_grad():
        for x, y in train_loader:
            good += (model(x).argmax(1) == y).sum().item()
        total = torch.tensor(good, dtype=torch.float64)
        dist.all_reduce(total)
        good = int(total)
    if dist.get_rank() == 0:
        print("held out:", good / len(b))
del ddp_model
dist.destroy_process_group()
