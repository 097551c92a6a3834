"""A mean over some of the samples, behind a model: each process has another number of them."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
torch.manual_seed(seed)
data = TensorDataset(torch.randn(640, 10), torch.randint(0, 3, (640,)))
if 64 % hvd.size() != 0:
    raise SystemExit(f"batch size 64 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank(), drop_last=True)
loader = DataLoader(data, batch_size=64 // hvd.size(), sampler=loader_sampler, drop_last=True)
model = nn.Linear(10, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())


def mean_of_all_rows(values):
    count = hvd.allreduce(torch.tensor(values.numel(), device=values.device), op=hvd.Sum)
    return values.sum() * hvd.size() / count


hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(seed + hvd.rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        loss = mean_of_all_rows(model(x[y > 0]).pow(2))
        loss.backward()
        optimizer.step()
hvd.shutdown()
