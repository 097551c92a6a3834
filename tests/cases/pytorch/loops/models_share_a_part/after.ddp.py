"""Two models have one encoder: Horovod's optimizers would both average its gradients."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
data = TensorDataset(torch.randn(96, 4), torch.randn(96, 1))
if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
loader = DataLoader(data, batch_size=16 // dist.get_world_size(), sampler=DistributedSampler(data))
encoder = nn.Linear(4, 8)
coder = nn.Sequential(encoder, nn.ReLU(), nn.Linear(8, 4))
optimizer = torch.optim.SGD(coder.parameters(), lr=0.05)
ddp_coder = DistributedDataParallel(coder)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    loader.sampler.set_epoch(loader.sampler.epoch + 1)
    for x, _ in loader:
        loss = nn.functional.mse_loss(ddp_coder(x), x)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
del ddp_coder

predictor = nn.Sequential(encoder, nn.Linear(8, 1))
optimizer = torch.optim.SGD(predictor.parameters(), lr=0.05)
ddp_predictor = DistributedDataParallel(predictor)
for epoch in range(2):
    loader.sampler.set_epoch(loader.sampler.epoch + 1)
    for x, y in loader:
        loss = nn.functional.mse_loss(ddp_predictor(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
del ddp_predictor
dist.destroy_process_group()
