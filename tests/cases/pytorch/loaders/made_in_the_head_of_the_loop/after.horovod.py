"""The training loop makes its DataLoader in its head: its sampler is told the epoch there."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler
hvd.init()
torch.manual_seed(0)
data = TensorDataset(torch.randn(320, 10), torch.randint(0, 2, (320,)))
model = nn.Linear(10, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())


def at_epoch(loader, epoch):
    loader.sampler.set_epoch(epoch)
    return loader


hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    if 32 % hvd.size() != 0:
        raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
    for x, y in at_epoch(DataLoader(data, batch_size=32 // hvd.size(), sampler=DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank())), epoch):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
    if hvd.rank() == 0:
        print(epoch)
hvd.shutdown()
