"""Batches that are moved under another condition than that under which the model is wrapped: DataParallel moved them."""
import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
if torch.cuda.is_available():
    torch.cuda.set_device(hvd.local_rank())
parser = argparse.ArgumentParser()
parser.add_argument("--gpu", action="store_true")
parser.add_argument("--half", action="store_true")
parser.add_argument("--wide", action="store_true")
args = parser.parse_args()
torch.manual_seed(0)
loader_data = TensorDataset(torch.randn(48, 5), torch.randint(3, (48,)))
if 12 % hvd.size() != 0:
    raise SystemExit(f"batch size 12 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=12 // hvd.size(), sampler=loader_sampler)
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
optimizer = hvd.DistributedOptimizer(optimizer)
hvd.broadcast_parameters(net.state_dict(), root_rank=0)
hvd.broadcast_parameters(other.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        if args.half:
            x = x.cuda()
        optimizer.zero_grad()
        scores = net(x)
        if args.wide:
            scores = scores.cuda()
        loss = nn.functional.cross_entropy(other(scores), y)
        loss.backward()
        optimizer.step()
hvd.shutdown()
