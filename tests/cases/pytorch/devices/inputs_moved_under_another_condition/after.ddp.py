"""Batches that are moved under another condition than that under which the model is wrapped: DataParallel moved them."""
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
parser.add_argument("--gpu", action="store_true")
parser.add_argument("--half", action="store_true")
parser.add_argument("--wide", action="store_true")
args = parser.parse_args()
torch.manual_seed(0)
loader_data = TensorDataset(torch.randn(48, 5), torch.randint(3, (48,)))
if 12 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 12 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=12 // dist.get_world_size(), sampler=loader_sampler)
net, other = nn.Linear(5, 3), nn.Linear(3, 3)
if args.gpu:
    net = net.cuda()
    net.register_forward_pre_hook(
        lambda own, given: tuple(x.to(next(own.parameters()).device) if hasattr(x, "to") else x for x in given)
    )
if args.wide:
    other = other.cuda()
    other.register_forward_pre_hook(
        lambda own, given: tuple(x.to(next(own.parameters()).device) if hasattr(x, "to") else x for x in given)
    )
args.wide = args.half
optimizer = torch.optim.SGD([*net.parameters(), *other.parameters()], lr=0.05)
ddp_net = DistributedDataParallel(net)
ddp_other = DistributedDataParallel(other)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        if args.half:
            x = x.cuda()
        optimizer.zero_grad()
        scores = ddp_net(x)
        if args.wide:
            scores = scores.cuda()
        loss = nn.functional.cross_entropy(ddp_other(scores), y)
        loss.backward()
        optimizer.step()
del ddp_net, ddp_other
dist.destroy_process_group()
