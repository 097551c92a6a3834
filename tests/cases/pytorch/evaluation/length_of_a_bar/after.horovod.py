"""Averages are over as many batches as a progress bar is long, which is that of the loader in it."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from tqdm import tqdm
import horovod.torch as hvd
from torch.utils.data import BatchSampler
from torch.utils.data.distributed import DistributedSampler

hvd.init()
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
torch.manual_seed(seed)
data = TensorDataset(torch.randn(64, 4), torch.randn(64, 1))
if 8 % hvd.size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(data, batch_size=8 // hvd.size(), sampler=loader_sampler)
held_out_batches = list(BatchSampler(range(len(data)), 8, drop_last=False))[hvd.rank()::hvd.size()]
held_out = DataLoader(data, batch_sampler=held_out_batches)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
criterion = nn.MSELoss()
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(seed + hvd.rank())
for epoch in range(3):
    bar = tqdm(loader, disable=hvd.rank() != 0)
    total = 0.0
    loader.sampler.set_epoch(epoch)
    for x, y in bar:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        total += loss.item()
    total_ = hvd.allreduce(torch.tensor(total, dtype=torch.float64), op=hvd.Sum)
    total = total_.item() / hvd.size()
    if hvd.rank() == 0:
        print(total / len(bar))
    bar = tqdm(held_out, disable=hvd.rank() != 0)
    total = 0.0
    with torch.no_grad():
        for x, y in bar:
            total += criterion(model(x), y).item()
        totals = hvd.allreduce(torch.tensor([total, len(bar)], dtype=torch.float64), op=hvd.Sum)
        total, num_batches = totals[0].item(), int(totals[1])
    if hvd.rank() == 0:
        print(total / num_batches)
hvd.shutdown()
