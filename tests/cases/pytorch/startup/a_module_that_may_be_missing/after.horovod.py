"""A try between the imports notes whether a module is there: the program starts behind all of them."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

try:
    import numba

    has_numba = True
except ImportError:
    has_numba = False
import numpy as np
import horovod.torch as hvd
import warnings
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
data = TensorDataset(torch.tensor(np.eye(6, dtype="float32")), torch.ones(6, 1))
if 2 % hvd.size() != 0:
    raise SystemExit(f"batch size 2 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(data, batch_size=2 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(6, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
warnings.filterwarnings("error", r"Using a target size \S+\[(\d+)(, 1)?]\)\).+\[\1(, 1)?]\)\)")
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        loss = nn.functional.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if has_numba:
        if hvd.rank() == 0:
            print("epoch", epoch)
hvd.shutdown()
