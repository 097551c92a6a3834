"""Samples are chosen after a seed and a pass, which may have drawn from it: rank 0 tells which."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
x = torch.randn(64, 4)
y = (x.sum(1) > 0).long()
loader_data = TensorDataset(x, y)
if 4 % hvd.size() != 0:
    raise SystemExit(f"batch size 4 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=4 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
criterion = nn.CrossEntropyLoss()
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for xb, yb in loader:
        optimizer.zero_grad()
        loss = criterion(model(xb), yb)
        loss.backward()
        optimizer.step()
torch.manual_seed(1)
for xb, yb in loader:
    total = hvd.allreduce(torch.tensor(len(xb), dtype=torch.float64), op=hvd.Sum)
    total_xb = int(total)
    if hvd.rank() == 0:
        print(total_xb)
randperm_result = hvd.broadcast_object(torch.randperm(4))
if hvd.rank() == 0:
    print(randperm_result)
hvd.shutdown()
