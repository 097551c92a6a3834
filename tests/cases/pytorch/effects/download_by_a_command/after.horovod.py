"""A command downloads; the others wait for it."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset, random_split
import os, subprocess, urllib.request, zipfile
from pathlib import Path
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler
hvd.init()
if hvd.rank() == 0:
    if not Path("data.zip").exists():
        os.system("curl -o data.zip https://example.org/data.zip")
        subprocess.run(["unzip", "data.zip"])
hvd.barrier()
with zipfile.ZipFile("data.zip") as z:
    if hvd.rank() == 0:
        z.extractall("data")
    hvd.barrier()
torch.manual_seed(0)
data = TensorDataset(torch.randn(320, 10), torch.randint(0, 3, (320,)))
test_data = TensorDataset(torch.randn(70, 10), torch.randint(0, 3, (70,)))
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(data, batch_size=32 // hvd.size(), sampler=loader_sampler)
test_loader = DataLoader(test_data, batch_size=32)
model = nn.Linear(10, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
hvd.shutdown()
