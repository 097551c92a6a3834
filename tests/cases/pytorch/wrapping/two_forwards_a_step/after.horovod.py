"""The model is called twice in a step (siamese pairs), with one backward: the wrapper serves both calls."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
a, b = torch.randn(400, 10), torch.randn(400, 10)
loader_data = TensorDataset(a, b, torch.randint(0, 2, (400,)).float())
if 40 % hvd.size() != 0:
    raise SystemExit(f"batch size 40 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=40 // hvd.size(), sampler=loader_sampler)
net = nn.Sequential(nn.Linear(10, 16), nn.ReLU(), nn.Linear(16, 4))
optimizer = torch.optim.Adam(net.parameters(), lr=0.001)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=net.named_parameters())
hvd.broadcast_parameters(net.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for x0, x1, label in loader:
        d = nn.functional.pairwise_distance(net(x0), net(x1))
        loss = ((1 - label) * d.pow(2) + label * torch.clamp(2 - d, min=0).pow(2)).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
hvd.shutdown()
