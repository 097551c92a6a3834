"""The largest of several losses is that of their means over all processes."""

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


def mean_over_processes(value):
    return hvd.allreduce(value, op=hvd.Sum) / hvd.size()


hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    total = 0.0
    loader.sampler.set_epoch(epoch)
    for inputs, labels in loader:
        output = model(inputs)
        losses = torch.stack([F.cross_entropy(output, labels), output.pow(2).mean()])
        loss = mean_over_processes(losses).max()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    if hvd.rank() == 0:
        print(epoch, total / len(loader))
hvd.shutdown()
