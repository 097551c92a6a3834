"""Counts of each class are divided in the comprehension that prints them: the list of counts is summed up before."""
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
loader_data = TensorDataset(torch.randn(320, 8), torch.randint(0, 3, (320,)))
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=32 // dist.get_world_size(), sampler=loader_sampler)
model = nn.Linear(8, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(seed + dist.get_rank())
for epoch in range(2):
    right = [0, 0, 0]
    seen = 0
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        out = ddp_model(x)
        loss = nn.functional.cross_entropy(out, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        for k in range(3):
            right[k] += ((out.argmax(1) == k) & (y == k)).sum().item()
        seen += len(y)
    total = torch.tensor(seen, dtype=torch.float64)
    dist.all_reduce(total)
    seen = int(total)
    total_right = torch.tensor(right, dtype=torch.float64)
    dist.all_reduce(total_right)
    total_right = total_right.long().tolist()
    if dist.get_rank() == 0:
        print(" ".join(f"{k}: {r / seen:.3f}" for k, r in enumerate(total_right)))
del ddp_model
dist.destroy_process_group()
