"""Losses are added up by functions and methods, which are operators by other names."""

import numpy as np
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
features = torch.randn(64, 4)
batch_size = 16
loader_data = TensorDataset(features, (features[:, 0] > 0).long())
if batch_size % dist.get_world_size() != 0:
    raise SystemExit(f"batch size {batch_size} cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=batch_size // dist.get_world_size(), sampler=loader_sampler)
model = nn.Linear(4, 2)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(3):
    weighted, total, mean = torch.tensor(0.0), torch.tensor(0.0), 0.0
    loader.sampler.set_epoch(epoch)
    for inputs, labels in loader:
        optimizer.zero_grad()
        loss = criterion(ddp_model(inputs), labels)
        loss.backward()
        optimizer.step()
        weighted = torch.add(weighted, loss.detach(), alpha=inputs.size(0))
        total = total.add(torch.mul(loss.detach(), len(labels)))
        mean = np.add(mean, loss.item())
    totals = torch.tensor([float(weighted), float(total), mean], dtype=torch.float64)
    dist.all_reduce(totals)
    weighted, total, mean = totals[0].float(), totals[1].float(), np.float64(totals[2].item() / dist.get_world_size())
    if dist.get_rank() == 0:
        print(
            epoch,
            weighted.item() / loader.sampler.total_size,
            total.item() / loader.sampler.total_size,
            mean / len(loader),
        )
del ddp_model
dist.destroy_process_group()
