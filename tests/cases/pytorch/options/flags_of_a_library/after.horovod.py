"""Options that gflags reads: what declares them does nothing else, and it is equal on all processes."""
import sys

import gflags
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
torch.manual_seed(seed)
FLAGS = gflags.FLAGS
gflags.DEFINE_integer("batch_size", 32, "samples in a batch")
gflags.DEFINE_float("rate", 0.1, "learning rate")
FLAGS(sys.argv)

data = TensorDataset(torch.randn(640, 10), torch.randn(640, 1))
if FLAGS.batch_size % hvd.size() != 0:
    raise SystemExit(f"batch size {FLAGS.batch_size} cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(data, batch_size=FLAGS.batch_size // hvd.size(), sampler=loader_sampler)
model = nn.Linear(10, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=FLAGS.rate)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(seed + hvd.rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
hvd.shutdown()
