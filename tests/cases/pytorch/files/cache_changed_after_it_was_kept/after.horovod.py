"""What is read is what was written, and what was computed has changed since."""
import os
import numpy as np, torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
import warnings
from torch.utils.data.distributed import DistributedSampler
hvd.init()
torch.manual_seed(0)
if hvd.rank() != 0:
    hvd.barrier()
if not os.path.isfile("rows.npy"):
    rows = np.sin(np.arange(192.0)).reshape(64, 3)
    if hvd.rank() == 0:
        np.save("rows.npy", rows)
    rows = rows * 2
else:
    rows = np.load("rows.npy")
if hvd.rank() == 0:
    hvd.barrier()
x = torch.tensor(rows, dtype=torch.float32)
loader_data = TensorDataset(x, x.sum(1, keepdim=True))
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=16 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(3, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
warnings.filterwarnings("error", r"Using a target size \S+\[(\d+)(, 1)?]\)\).+\[\1(, 1)?]\)\)")
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for a, b in loader:
        loss = nn.functional.mse_loss(model(a), b)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
hvd.shutdown()
