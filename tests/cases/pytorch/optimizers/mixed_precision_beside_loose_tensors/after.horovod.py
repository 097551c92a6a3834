"""A weight beside the model is averaged by hand before the scaler looks at gradients."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
loader_data = TensorDataset(torch.randn(320, 10), torch.randn(320, 2))
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=32 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(10, 2)
log_sigma = nn.Parameter(torch.zeros(2))
optimizer = torch.optim.SGD([*model.parameters(), log_sigma], lr=0.5)
optimizer = hvd.DistributedOptimizer(optimizer)
scaler = torch.amp.GradScaler("cpu")
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
for parameter in [log_sigma]:
    hvd.broadcast_(parameter.data, root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        with torch.autocast("cpu"):
            loss = ((model(x) - y).pow(2) * torch.exp(-log_sigma) + log_sigma).mean()
        scaler.scale(loss).backward()
        optimizer.synchronize()
        scaler.unscale_(optimizer)
        with optimizer.skip_synchronize():
            scaler.step(optimizer)
        scaler.update()
hvd.shutdown()
