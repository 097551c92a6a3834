"""with open(..., 'a') in the epoch loop: guarded as a whole, with the value reduced before it."""
import json
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
import os
from torch.utils.data.distributed import DistributedSampler

hvd.init()
with open("config.json" if hvd.rank() == 0 else os.devnull, "w") as f:
    json.dump({"lr": 0.01, "epochs": 3}, f)
hvd.barrier()
with open("config.json") as f:
    config = json.load(f)
torch.manual_seed(0)
loader_data = TensorDataset(torch.randn(320, 10), torch.randn(320, 1))
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=32 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(10, 1)
optimizer = torch.optim.Adam(model.parameters(), lr=config["lr"])
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(config["epochs"]):
    total = 0.0
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        total += loss.item() * len(x)
    total_ = hvd.allreduce(torch.tensor(total, dtype=torch.float64), op=hvd.Sum)
    total = total_.item()
    with open("history.txt" if hvd.rank() == 0 else os.devnull, "a") as f:
        f.write("%d\t%.5f\n" % (epoch, total / loader.sampler.total_size))
hvd.shutdown()
