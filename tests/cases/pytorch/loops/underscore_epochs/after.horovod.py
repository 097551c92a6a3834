"""The epoch variable is _ : set_epoch uses it as it is."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
torch.manual_seed(seed)
ds = TensorDataset(torch.randn(256, 10), torch.randn(256, 1))
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
dl_sampler = DistributedSampler(ds, num_replicas=hvd.size(), rank=hvd.rank())
dl = DataLoader(ds, batch_size=16 // hvd.size(), sampler=dl_sampler)
lin = nn.Linear(10, 1)
opt = torch.optim.Adagrad(lin.parameters(), lr=0.1)
opt = hvd.DistributedOptimizer(opt, named_parameters=lin.named_parameters())
hvd.broadcast_parameters(lin.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(seed + hvd.rank())
for epoch in range(7):
    dl.sampler.set_epoch(epoch)
    for xb, yb in dl:
        opt.zero_grad()
        ((lin(xb) - yb) ** 2).mean().backward()
        opt.step()
if hvd.rank() == 0:
    torch.save(lin.state_dict(), 'lin.pth')
hvd.shutdown()
