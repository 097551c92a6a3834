"""Rows that a comparison chooses, also with a column, are another number on each process: their mean is over all."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
data = TensorDataset(torch.randn(320, 6), torch.randint(0, 3, (320,)))
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(data, batch_size=32 // hvd.size(), sampler=loader_sampler)
model = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 3))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())


def mean_of_all_rows(values):
    count = hvd.allreduce(torch.tensor(values.numel(), device=values.device), op=hvd.Sum)
    return values.sum() * hvd.size() / count


hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    total = 0.0
    loader.sampler.set_epoch(epoch)
    for inputs, labels in loader:
        output = model(inputs)
        loss = mean_of_all_rows(output[labels > 0, 0].pow(2))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    total_ = hvd.allreduce(torch.tensor(total, dtype=torch.float64), op=hvd.Sum)
    total = total_.item() / hvd.size()
    if hvd.rank() == 0:
        print(epoch, total / len(loader))
hvd.shutdown()
