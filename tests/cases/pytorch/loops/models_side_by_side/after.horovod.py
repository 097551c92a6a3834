"""Several models are trained on the same batches, each with its optimizer, in a loop over lists of them."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
import warnings
from torch.utils.data.distributed import DistributedSampler

hvd.init()
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
torch.manual_seed(seed)
loader_data = TensorDataset(torch.randn(64, 4), torch.randn(64, 1))
if 8 % hvd.size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {hvd.size()} processes")
if hvd.size() > 1 and (len(loader_data) - 1) % 8 < hvd.size():
    raise SystemExit("the last batch leaves each process one sample, and BatchNorm1d needs two: use drop_last=True")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=8 // hvd.size(), sampler=loader_sampler)
first = nn.Linear(4, 1)
second = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.Linear(8, 1))
nets = [first, second]
optimizers = [torch.optim.SGD(first.parameters(), lr=0.1), torch.optim.Adam(second.parameters())]
criterion = nn.MSELoss()
hvd.broadcast_parameters(first.state_dict(), root_rank=0)
hvd.broadcast_parameters(second.state_dict(), root_rank=0)
warnings.filterwarnings("error", r"Using a target size \S+\[(\d+)(, 1)?]\)\).+\[\1(, 1)?]\)\)")
if hvd.rank() > 0:
    torch.manual_seed(seed + hvd.rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for step, (x, y) in enumerate(loader):
        for net, optimizer in zip(nets, optimizers):
            optimizer.zero_grad()
            loss = criterion(net(x), y)
            loss.backward()
            hvd.grouped_allreduce_(
                [p.grad for group in optimizer.param_groups for p in group["params"] if p.grad is not None]
            )
            optimizer.step()
if hvd.rank() == 0:
    torch.save(second.state_dict(), "second.pt")
hvd.shutdown()
