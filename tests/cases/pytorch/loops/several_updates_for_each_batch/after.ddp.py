"""Several updates are made with each batch: all processes make as many."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
x = torch.randn(96, 6)
y = (x[:, 0] > 0).long()
loader_data = TensorDataset(x, y)
if 12 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 12 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=12 // dist.get_world_size(), sampler=loader_sampler)
model = nn.Linear(6, 2)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for tensor in [*model.parameters(), *model.buffers()]:
    dist.broadcast(tensor.data, src=0)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for features, labels in loader:
        for repetition in range(3):
            optimizer.zero_grad()
            loss = criterion(model(features), labels)
            loss.backward()
            for parameter in [p for group in optimizer.param_groups for p in group["params"]]:
                if parameter.grad is not None:
                    dist.all_reduce(parameter.grad)
                    parameter.grad /= dist.get_world_size()
            optimizer.step()
    total = torch.tensor(loss.item(), dtype=torch.float64)
    dist.all_reduce(total)
    mean_loss = total.item() / dist.get_world_size()
    if dist.get_rank() == 0:
        print(epoch, mean_loss)
dist.destroy_process_group()
