"""Inputs are moved to the GPU only where one is chosen: else DataParallel does it, so the model does it itself."""
import argparse

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
dist.init_process_group("cpu:gloo,cuda:nccl" if torch.cuda.is_available() else "gloo")
if torch.cuda.is_available():
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
parser = argparse.ArgumentParser()
parser.add_argument("--gpu", type=int, help="use this GPU only")
options = parser.parse_args()
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(5, 8), nn.ReLU(), nn.Linear(8, 3))
if options.gpu is not None:
    net = net.cuda()
else:
    net.register_forward_pre_hook(
        lambda own, given: tuple(x.to(next(own.parameters()).device) if hasattr(x, "to") else x for x in given)
    )
    if torch.cuda.is_available():
        net.cuda()
optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
loader_data = TensorDataset(torch.randn(48, 5), torch.randint(3, (48,)))
if 12 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 12 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=12 // dist.get_world_size(), sampler=loader_sampler)
ddp_net = DistributedDataParallel(net)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        if options.gpu is not None:
            x = x.cuda(non_blocking=True)
        if torch.cuda.is_available():
            y = y.cuda(non_blocking=True)
        optimizer.zero_grad()
        nn.functional.cross_entropy(ddp_net(x), y).backward()
        optimizer.step()
if dist.get_rank() == 0:
    torch.save(net.state_dict(), "net.pt")
del ddp_net
dist.destroy_process_group()
