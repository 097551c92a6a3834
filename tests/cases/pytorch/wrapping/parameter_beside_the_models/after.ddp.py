"""A parameter of no model is stepped: its gradients are averaged by hand for DDP, and by Horovod without names."""
import itertools
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
x = torch.randn(320, 10)
y = (x[:, 0] > 0).long()
loader_data = TensorDataset(x, y)
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=32 // dist.get_world_size(), sampler=loader_sampler)
encoder = nn.Sequential(nn.Linear(10, 16), nn.ReLU())
head = nn.Linear(16, 2)
log_sigma = nn.Parameter(torch.zeros(1))
opt = torch.optim.Adam(list(encoder.parameters()) + list(head.parameters()) + [log_sigma], lr=1e-2)
ddp_encoder = DistributedDataParallel(encoder)
ddp_head = DistributedDataParallel(head)
for parameter in [log_sigma]:
    dist.broadcast(parameter.data, src=0)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(3):
    total = 0.0
    loader.sampler.set_epoch(epoch)
    for xb, yb in loader:
        ce = nn.functional.cross_entropy(ddp_head(ddp_encoder(xb)), yb)
        loss = ce * torch.exp(-log_sigma) + 0.5 * log_sigma
        loss = loss.sum()
        opt.zero_grad()
        loss.backward()
        for parameter in [log_sigma]:
            if parameter.grad is not None:
                dist.all_reduce(parameter.grad)
                parameter.grad /= dist.get_world_size()
        opt.step()
        total += loss.item()
    total_ = torch.tensor(total, dtype=torch.float64)
    dist.all_reduce(total_)
    total = total_.item() / dist.get_world_size()
    if dist.get_rank() == 0:
        print(epoch, total / len(loader), log_sigma.item())
if dist.get_rank() == 0:
    torch.save({"enc": encoder.state_dict(), "head": head.state_dict(), "s": log_sigma}, "two.pt")
del ddp_encoder, ddp_head
dist.destroy_process_group()
