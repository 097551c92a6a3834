"""The columns of a table are renamed in place, on all processes: no file has another name."""
import pandas as pd
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
table = pd.read_csv("rows.csv")
table.rename(columns={"first": "x", "second": "y"}, inplace=True)
table.rename(str.lower, axis="columns", inplace=True)
pairs = TensorDataset(torch.tensor(table[["x"]].values).float(), torch.tensor(table[["y"]].values).float())
if 8 % hvd.size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(pairs, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(pairs, batch_size=8 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(1, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
hvd.shutdown()
