"""The optimizer's class reaches its call through an alias of the user's."""
import torch
from torch import nn, optim
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
Opt = optim.Adamax
torch.manual_seed(0)
loader_data = TensorDataset(torch.randn(200, 2), torch.randn(200, 1))
if 20 % hvd.size() != 0:
    raise SystemExit(f"batch size 20 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=20 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(2, 1)
o = Opt(model.parameters(), lr=2e-3)
o = hvd.DistributedOptimizer(o, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(5):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        o.zero_grad()
        (model(x) - y).pow(2).mean().backward()
        o.step()
hvd.shutdown()
