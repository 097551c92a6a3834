"""A table that goes through CSV comes back with a column more: what is read is not what was computed."""
import os
import pandas as pd, torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler
hvd.init()
torch.manual_seed(0)
if hvd.rank() != 0:
    hvd.barrier()
if os.path.exists("rows.csv"):
    table = pd.read_csv("rows.csv")
else:
    table = pd.DataFrame({"a": [k / 7 for k in range(64)], "b": [k * k / 9 for k in range(64)]})
    if hvd.rank() == 0:
        table.to_csv("rows.csv")
if hvd.rank() == 0:
    hvd.barrier()
x = torch.tensor(table.values, dtype=torch.float32)
loader_data = TensorDataset(x, x.sum(1, keepdim=True))
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=16 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(x.shape[1], 1)
optimizer = torch.optim.SGD(model.parameters(), lr=1e-6)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
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
