"""Elapsed time and a counter of files read are no metrics: nothing is reduced, and they are printed once."""
import time
from pathlib import Path

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
correct = 0
for path in Path("annotations").glob("*.txt"):
    if path.read_text().strip():
        correct += 1
if hvd.rank() == 0:
    print(correct, "annotation files are not empty")

torch.manual_seed(0)
loader_data = TensorDataset(torch.randn(1024, 32), torch.randint(0, 8, (1024,)))
if 64 % hvd.size() != 0:
    raise SystemExit(f"batch size 64 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=64 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(32, 8)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
started = time.time()
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(3):
    tick = time.time()
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
    if hvd.rank() == 0:
        print("epoch %d took %.1f s" % (epoch, time.time() - tick))
if hvd.rank() == 0:
    print("total %.1f s" % (time.time() - started))
hvd.shutdown()
