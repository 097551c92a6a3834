"""Options that gflags reads: what declares them does nothing else, and it is equal on all processes."""
import sys

import gflags
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
seed = torch.tensor(torch.initial_seed() % 2**63)
dist.broadcast(seed, src=0)
seed = seed.item()
torch.manual_seed(seed)
FLAGS = gflags.FLAGS
gflags.DEFINE_integer("batch_size", 32, "samples in a batch")
gflags.DEFINE_float("rate", 0.1, "learning rate")
FLAGS(sys.argv)

data = TensorDataset(torch.randn(640, 10), torch.randn(640, 1))
if FLAGS.batch_size % dist.get_world_size() != 0:
    raise SystemExit(f"batch size {FLAGS.batch_size} cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(data)
loader = DataLoader(data, batch_size=FLAGS.batch_size // dist.get_world_size(), sampler=loader_sampler)
model = nn.Linear(10, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=FLAGS.rate)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(seed + dist.get_rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(ddp_model(x), y).backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
