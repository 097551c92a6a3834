"""Inputs are moved to the GPU only where one is chosen: else DataParallel does it, so the model does it itself."""
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
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=net.named_parameters())
loader_data = TensorDataset(torch.randn(48, 5), torch.randint(3, (48,)))
if 12 % hvd.size() != 0:
    raise SystemExit(f"batch size 12 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=12 // hvd.size(), sampler=loader_sampler)
hvd.broadcast_parameters(net.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        if options.gpu is not None:
            x = x.cuda(non_blocking=True)
        if torch.cuda.is_available():
            y = y.cuda(non_blocking=True)
        optimizer.zero_grad()
        nn.functional.cross_entropy(net(x), y).backward()
        optimizer.step()
if hvd.rank() == 0:
    torch.save(net.state_dict(), "net.pt")
hvd.shutdown()
