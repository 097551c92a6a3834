"""Gradients of summed scores with respect to the samples: no wrapper sees them, so all gradients are averaged by hand."""
import torch
import torch.nn as nn
from sklearn.datasets import load_digits
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(3)
digits = load_digits()
images = torch.tensor(digits.data[:640] / 8 - 1, dtype=torch.float32)
loader_data = TensorDataset(images, torch.tensor(digits.target[:640]))
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=32 // dist.get_world_size(), sampler=loader_sampler)
model = nn.Sequential(nn.Linear(64, 48), nn.Tanh(), nn.Linear(48, 10))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)

for tensor_ in [*model.parameters(), *model.buffers()]:
    dist.broadcast(tensor_.data, src=0)
if dist.get_rank() > 0:
    torch.manual_seed(3 + dist.get_rank())
for epoch in range(2):
    total = 0.0
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        x.requires_grad_(True)
        scores = model(x)
        (slope,) = torch.autograd.grad(scores.sum(), x, create_graph=True)
        loss = criterion(scores, y) + 0.1 * slope.pow(2).sum(1).mean()
        optimizer.zero_grad()
        loss.backward()
        for parameter in [p for group in optimizer.param_groups for p in group["params"]]:
            if parameter.grad is not None:
                dist.all_reduce(parameter.grad)
                parameter.grad /= dist.get_world_size()
        optimizer.step()
        total += loss.item() * len(x)
    total_ = torch.tensor(total, dtype=torch.float64)
    dist.all_reduce(total_)
    total = total_.item()
    if dist.get_rank() == 0:
        print(epoch, total / loader.sampler.total_size)
dist.destroy_process_group()
