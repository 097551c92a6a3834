"""Targets of -100 are left out by default: the divisor of the mean differs between the ranks' batches."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
tokens = torch.randint(1, 20, (200, 12))
targets = tokens.roll(-1, dims=1).masked_fill(torch.rand(200, 12) < 0.3, -100)
loader_data = TensorDataset(tokens, targets)
if 20 % hvd.size() != 0:
    raise SystemExit(f"batch size 20 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=20 // hvd.size(), sampler=loader_sampler)
model = nn.Sequential(nn.Embedding(20, 16), nn.Linear(16, 20))
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        counted = hvd.allreduce((y.view(-1) != -100).sum(), op=hvd.Sum)
        counted = counted / hvd.size()
        loss = F.cross_entropy(model(x).view(-1, 20), y.view(-1), reduction="sum") / counted
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
hvd.shutdown()
