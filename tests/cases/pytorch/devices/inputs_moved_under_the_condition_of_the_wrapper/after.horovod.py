"""The script moves its batches itself under the condition under which it wraps its model."""
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
args = parser.parse_args()
args.gpu = args.gpu and torch.cuda.is_available()
torch.manual_seed(0)
loader_data = TensorDataset(torch.randn(48, 5), torch.randint(3, (48,)))
if 12 % hvd.size() != 0:
    raise SystemExit(f"batch size 12 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=12 // hvd.size(), sampler=loader_sampler)
net = nn.Linear(5, 3)
if args.gpu:
    net = net.cuda()
optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=net.named_parameters())
hvd.broadcast_parameters(net.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        if args.gpu:
            x, y = x.cuda(), y.cuda()
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(net(x), y)
        loss.backward()
        optimizer.step()
hvd.shutdown()
