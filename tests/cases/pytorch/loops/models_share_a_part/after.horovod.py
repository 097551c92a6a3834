"""Two models have one encoder: Horovod's optimizers would both average its gradients."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
data = TensorDataset(torch.randn(96, 4), torch.randn(96, 1))
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(data, batch_size=16 // hvd.size(), sampler=loader_sampler)
encoder = nn.Linear(4, 8)
coder = nn.Sequential(encoder, nn.ReLU(), nn.Linear(8, 4))
optimizer = torch.optim.SGD(coder.parameters(), lr=0.05)
hvd.broadcast_parameters(coder.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(loader.sampler.epoch + 1)
    for x, _ in loader:
        loss = nn.functional.mse_loss(coder(x), x)
        optimizer.zero_grad()
        loss.backward()
        hvd.grouped_allreduce_(
            [p.grad for group in optimizer.param_groups for p in group["params"] if p.grad is not None]
        )
        optimizer.step()

predictor = nn.Sequential(encoder, nn.Linear(8, 1))
optimizer = torch.optim.SGD(predictor.parameters(), lr=0.05)
hvd.broadcast_parameters(predictor.state_dict(), root_rank=0)
for epoch in range(2):
    loader.sampler.set_epoch(loader.sampler.epoch + 1)
    for x, y in loader:
        loss = nn.functional.mse_loss(predictor(x), y)
        optimizer.zero_grad()
        loss.backward()
        hvd.grouped_allreduce_(
            [p.grad for group in optimizer.param_groups for p in group["params"] if p.grad is not None]
        )
        optimizer.step()
hvd.shutdown()
