"""The script imports from torch only; the name torch is free."""
import torch.nn as nn
from torch import manual_seed, randn, randint, no_grad, save
from torch.optim import SGD
from torch.utils.data import DataLoader, TensorDataset
import os
import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending
if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
manual_seed(0)
loader_data = TensorDataset(randn(320, 10), randint(0, 3, (320,)))
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=32 // dist.get_world_size(), sampler=loader_sampler)
test_data = TensorDataset(randn(70, 10), randint(0, 3, (70,)))
test_sampler = range(dist.get_rank(), len(test_data), dist.get_world_size())
test_loader = DataLoader(test_data, batch_size=32, sampler=test_sampler)
model = nn.Sequential(nn.Linear(10, 8), nn.Dropout(), nn.Linear(8, 3))
optimizer = SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(ddp_model(x), y).backward()
        optimizer.step()
    hits = 0
    model.eval()
    with no_grad():
        for x, y in test_loader:
            hits += (model(x).argmax(1) == y).sum().item()
        total = torch.tensor(hits, dtype=torch.float64)
        dist.all_reduce(total)
        hits = int(total)
    model.train()
    if dist.get_rank() == 0:
        print(hits / 70)
if dist.get_rank() == 0:
    save(model.state_dict(), "x.pt")
del ddp_model
dist.destroy_process_group()
