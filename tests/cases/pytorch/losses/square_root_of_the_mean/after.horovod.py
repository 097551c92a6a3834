"""The root of a mean is no mean over ranks (RMSE as the loss): its gradients do not average."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
loader_data = TensorDataset(torch.randn(320, 10), torch.randn(320, 1))
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=32 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(10, 1)
criterion = nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())


def mean_over_processes(value):
    return hvd.allreduce(value, op=hvd.Sum) / hvd.size()


hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(4):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        loss = torch.sqrt(mean_over_processes(criterion(model(x), y)))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
hvd.shutdown()
