"""The sums in a dict are divided where they are printed, in a comprehension: they are reduced before."""
import json
import logging

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
x = torch.randn(64, 4)
y = torch.randn(64, 1)
loader_data = TensorDataset(x, y)
if 8 % hvd.size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank(), shuffle=False)
loader = DataLoader(loader_data, batch_size=8 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())


hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    stats = {"loss": 0.0, "n": 0}
    loader.sampler.set_epoch(epoch)
    for a, b in loader:
        out = model(a)
        loss = nn.functional.mse_loss(out, b)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        stats["loss"] += loss.item() * len(a)
        stats["n"] += len(a)
    totals = hvd.allreduce(torch.tensor([stats["loss"], stats["n"]], dtype=torch.float64), op=hvd.Sum)
    stats["loss"], stats["n"] = totals[0].item(), int(totals[1])
    if hvd.rank() == 0:
        print({k: v / 64 for k, v in stats.items()})
hvd.shutdown()
