"""Gradients are accumulated over batches: DDP adds up averages, Horovod would have to be told how many."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
torch.manual_seed(seed)
accumulation_steps = 4
loader_data = TensorDataset(torch.randn(640, 10), torch.randn(640, 1))
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=16 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(10, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(seed + hvd.rank())
for epoch in range(3):
    optimizer.zero_grad()
    loader.sampler.set_epoch(epoch)
    for i, (x, y) in enumerate(loader):
        loss = nn.functional.mse_loss(model(x), y) / accumulation_steps
        loss.backward()
        if (i + 1) % accumulation_steps == 0:
            hvd.grouped_allreduce_(
                [p.grad for group in optimizer.param_groups for p in group["params"] if p.grad is not None]
            )
            optimizer.step()
            optimizer.zero_grad()
hvd.shutdown()
