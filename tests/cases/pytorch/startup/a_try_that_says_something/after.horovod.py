"""A try between the imports prints: the start, and what it needs, stand in front of it."""
import torch
from torch import nn
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
try:
    import tqdm
except ImportError:
    if hvd.rank() == 0:
        print("no progress bars")
    tqdm = None
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
loader_data = TensorDataset(torch.randn(6, 6), torch.ones(6, 1))
if 2 % hvd.size() != 0:
    raise SystemExit(f"batch size 2 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=2 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(6, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        loss = nn.functional.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
hvd.shutdown()
