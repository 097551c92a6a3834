"""One function makes the loader for training and another one, of which only the first batch is looked at: it is looked at whole."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


def loader_of(rows, batch_size=16, shuffle=True):
    loader_data = TensorDataset(rows, rows.sum(1, keepdim=True))
    if batch_size % hvd.size() != 0:
        raise SystemExit(f"batch size {batch_size} cannot be shared out over {hvd.size()} processes")
    return DataLoader(loader_data, batch_size=batch_size // hvd.size(), sampler=DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank(), shuffle=shuffle))


def show(loader):
    whole_loader = DataLoader(loader.dataset, batch_size=loader.batch_size * hvd.size(), shuffle=loader.sampler.shuffle)
    x, y = next(iter(whole_loader))
    if hvd.rank() == 0:
        print(len(x), y.flatten().tolist())


hvd.init()
torch.manual_seed(0)
rows = torch.randn(64, 6)
loader, shown = loader_of(rows), loader_of(rows, batch_size=4, shuffle=False)
model = nn.Linear(6, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
    show(shown)
hvd.shutdown()
