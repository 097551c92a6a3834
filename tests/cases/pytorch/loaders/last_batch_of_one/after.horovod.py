"""squeeze() of one sample drops its dimension: training stops at its start, tests go by whole batches."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data import BatchSampler
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
x = torch.randn(354, 10)
y = (x[:, 0] > 0).float()
loader_data = TensorDataset(x[:322], y[:322])
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
if hvd.size() > 1 and (len(loader_data) - 1) % 32 < hvd.size():
    raise SystemExit("the last batch leaves each process one sample, and squeeze() would drop the dimension of the samples: use drop_last=True")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=32 // hvd.size(), sampler=loader_sampler)
test_data = TensorDataset(x[322:], y[322:])
test_batches = list(BatchSampler(range(len(test_data)), 15, drop_last=False))[hvd.rank()::hvd.size()]
test_loader = DataLoader(test_data, batch_sampler=test_batches)
model = nn.Sequential(nn.Linear(10, 16), nn.ReLU(), nn.Linear(16, 1))
criterion = nn.BCEWithLogitsLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for a, b in loader:
        loss = criterion(model(a).squeeze(), b)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    total = 0.0
    with torch.no_grad():
        for a, b in test_loader:
            total += criterion(model(a).squeeze(), b).item() * len(b)
        total_ = hvd.allreduce(torch.tensor(total, dtype=torch.float64), op=hvd.Sum)
        total = total_.item()
    if hvd.rank() == 0:
        print(epoch, total / 32)
hvd.shutdown()
