"""A parameter of no model is stepped: its gradients are averaged by hand for DDP, and by Horovod without names."""
import itertools
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
x = torch.randn(320, 10)
y = (x[:, 0] > 0).long()
loader_data = TensorDataset(x, y)
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=32 // hvd.size(), sampler=loader_sampler)
encoder = nn.Sequential(nn.Linear(10, 16), nn.ReLU())
head = nn.Linear(16, 2)
log_sigma = nn.Parameter(torch.zeros(1))
opt = torch.optim.Adam(list(encoder.parameters()) + list(head.parameters()) + [log_sigma], lr=1e-2)
opt = hvd.DistributedOptimizer(opt)
hvd.broadcast_parameters(encoder.state_dict(), root_rank=0)
hvd.broadcast_parameters(head.state_dict(), root_rank=0)
for parameter in [log_sigma]:
    hvd.broadcast_(parameter.data, root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(3):
    total = 0.0
    loader.sampler.set_epoch(epoch)
    for xb, yb in loader:
        ce = nn.functional.cross_entropy(head(encoder(xb)), yb)
        loss = ce * torch.exp(-log_sigma) + 0.5 * log_sigma
        loss = loss.sum()
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item()
    total_ = hvd.allreduce(torch.tensor(total, dtype=torch.float64), op=hvd.Sum)
    total = total_.item() / hvd.size()
    if hvd.rank() == 0:
        print(epoch, total / len(loader), log_sigma.item())
if hvd.rank() == 0:
    torch.save({"enc": encoder.state_dict(), "head": head.state_dict(), "s": log_sigma}, "two.pt")
hvd.shutdown()
