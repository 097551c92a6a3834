"""A function with a backward pass of its own gives the loss: right if it is a mean over the samples."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class MeanOfSquares(torch.autograd.Function):
    @staticmethod
    def forward(ctx, error):
        ctx.save_for_backward(error)
        return error.pow(2).mean()

    @staticmethod
    def backward(ctx, gradient):
        (error,) = ctx.saved_tensors
        return gradient * 2 * error / error.numel()


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
seed = torch.tensor(torch.initial_seed() % 2**63)
dist.broadcast(seed, src=0)
seed = seed.item()
torch.manual_seed(seed)
x, y = torch.randn(64, 8), torch.randn(64, 1)
loader_data = TensorDataset(x, y)
if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=16 // dist.get_world_size(), sampler=loader_sampler)
model = nn.Linear(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(seed + dist.get_rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for a, b in loader:
        optimizer.zero_grad()
        loss = MeanOfSquares.apply(ddp_model(a) - b)
        loss.backward()
        optimizer.step()
    total = torch.tensor(loss.item(), dtype=torch.float64)
    dist.all_reduce(total)
    mean_loss = total.item() / dist.get_world_size()
    if dist.get_rank() == 0:
        print(epoch, mean_loss)
del ddp_model
dist.destroy_process_group()
