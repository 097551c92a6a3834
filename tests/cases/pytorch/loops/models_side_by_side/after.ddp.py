"""Several models are trained on the same batches, each with its optimizer, in a loop over lists of them."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
import warnings
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
seed = torch.tensor(torch.initial_seed() % 2**63)
dist.broadcast(seed, src=0)
seed = seed.item()
torch.manual_seed(seed)
loader_data = TensorDataset(torch.randn(64, 4), torch.randn(64, 1))
if 8 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {dist.get_world_size()} processes")
if dist.get_world_size() > 1 and (len(loader_data) - 1) % 8 < dist.get_world_size():
    raise SystemExit("the last batch leaves each process one sample, and BatchNorm1d needs two: use drop_last=True")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=8 // dist.get_world_size(), sampler=loader_sampler)
first = nn.Linear(4, 1)
second = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.Linear(8, 1))
nets = [first, second]
optimizers = [torch.optim.SGD(first.parameters(), lr=0.1), torch.optim.Adam(second.parameters())]
criterion = nn.MSELoss()
for tensor in [*first.parameters(), *first.buffers()]:
    dist.broadcast(tensor.data, src=0)
for tensor in [*second.parameters(), *second.buffers()]:
    dist.broadcast(tensor.data, src=0)
warnings.filterwarnings("error", r"Using a target size \S+\[(\d+)(, 1)?]\)\).+\[\1(, 1)?]\)\)")
if dist.get_rank() > 0:
    torch.manual_seed(seed + dist.get_rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for step, (x, y) in enumerate(loader):
        for net, optimizer in zip(nets, optimizers):
            optimizer.zero_grad()
            loss = criterion(net(x), y)
            loss.backward()
            for parameter in [p for group in optimizer.param_groups for p in group["params"]]:
                if parameter.grad is not None:
                    dist.all_reduce(parameter.grad)
                    parameter.grad /= dist.get_world_size()
            optimizer.step()
if dist.get_rank() == 0:
    torch.save(second.state_dict(), "second.pt")
dist.destroy_process_group()
