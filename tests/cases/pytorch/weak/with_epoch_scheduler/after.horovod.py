"""Weak scaling: the warm-up is composed with the user's MultiStepLR."""
import torch
import torch.nn as nn
from torch.optim.lr_scheduler import MultiStepLR
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.optim.lr_scheduler import LinearLR
from torch.utils.data.distributed import DistributedSampler

hvd.init()
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
torch.manual_seed(seed)
loader_data = TensorDataset(torch.randn(3200, 10), torch.randn(3200, 1))
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=32, sampler=loader_sampler)
model = nn.Linear(10, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1 * hvd.size(), momentum=0.9)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
scheduler = MultiStepLR(optimizer, milestones=[30, 60], gamma=0.1)
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(seed + hvd.rank())
warmup = LinearLR(optimizer, start_factor=1 / hvd.size(), total_iters=max(1, int(min(5, 90 / 10) * len(loader))))
for epoch in range(90):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
        warmup.step()
    scheduler.step()
    if hvd.rank() == 0:
        print(epoch, scheduler.get_last_lr())
hvd.shutdown()
