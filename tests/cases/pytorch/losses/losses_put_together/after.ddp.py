"""Losses put together in one tensor stay a mean, weighted, summed up or averaged."""

import torch
import torch.nn.functional as F
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
data = TensorDataset(torch.randn(320, 6), torch.randint(0, 3, (320,)))
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
loader = DataLoader(data, batch_size=32 // dist.get_world_size(), sampler=DistributedSampler(data))
model = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 3))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
weights = torch.tensor([1.0, 0.5])
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    total = 0.0
    loader.sampler.set_epoch(epoch)
    for inputs, labels in loader:
        output = ddp_model(inputs)
        losses = [F.cross_entropy(output, labels), output.pow(2).mean()]
        both = torch.stack(losses)
        parts = []
        for column in range(3):
            parts.append(output[:, column].abs().mean())
        loss = both.mean() + (both * weights).sum(dim=0) + torch.stack(parts).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    total_ = torch.tensor(total, dtype=torch.float64)
    dist.all_reduce(total_)
    total = total_.item() / dist.get_world_size()
    if dist.get_rank() == 0:
        print(epoch, total / len(loader))
del ddp_model
dist.destroy_process_group()
