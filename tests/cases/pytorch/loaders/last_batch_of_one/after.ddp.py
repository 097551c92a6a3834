"""squeeze() of one sample drops its dimension: training stops at its start, tests go by whole batches."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import BatchSampler
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
x = torch.randn(354, 10)
y = (x[:, 0] > 0).float()
loader_data = TensorDataset(x[:322], y[:322])
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
if dist.get_world_size() > 1 and (len(loader_data) - 1) % 32 < dist.get_world_size():
    raise SystemExit("the last batch leaves each process one sample, and squeeze() would drop the dimension of the samples: use drop_last=True")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=32 // dist.get_world_size(), sampler=loader_sampler)
test_data = TensorDataset(x[322:], y[322:])
test_batches = list(BatchSampler(range(len(test_data)), 15, drop_last=False))[dist.get_rank()::dist.get_world_size()]
test_loader = DataLoader(test_data, batch_sampler=test_batches)
model = nn.Sequential(nn.Linear(10, 16), nn.ReLU(), nn.Linear(16, 1))
criterion = nn.BCEWithLogitsLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for a, b in loader:
        loss = criterion(ddp_model(a).squeeze(), b)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    total = 0.0
    with torch.no_grad():
        for a, b in test_loader:
            total += criterion(model(a).squeeze(), b).item() * len(b)
        total_ = torch.tensor(total, dtype=torch.float64)
        dist.all_reduce(total_)
        total = total_.item()
    if dist.get_rank() == 0:
        print(epoch, total / 32)
del ddp_model
dist.destroy_process_group()
