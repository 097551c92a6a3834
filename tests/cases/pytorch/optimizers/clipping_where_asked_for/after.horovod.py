"""Gradients are clipped where the command line asks for it, and their norm is shown: it is that of the whole batch."""
import argparse

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
parser = argparse.ArgumentParser()
parser.add_argument("--clip", type=float, default=0.5)
args = parser.parse_args()
torch.manual_seed(0)
loader_data = TensorDataset(torch.randn(640, 4), torch.randn(640, 1))
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=32 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(3):
    total = 0.0
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.synchronize()
        if args.clip > 0:
            norm = nn.utils.clip_grad_norm_(model.parameters(), max_norm=args.clip)
            total += norm.item()
        with optimizer.skip_synchronize():
            optimizer.step()
    if hvd.rank() == 0:
        print(f"epoch {epoch}: mean norm {total / len(loader):.4f}")
hvd.shutdown()
