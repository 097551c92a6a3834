"""The closure of the documentation of LBFGS: it asks whether gradients are on, which they are in training."""
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
loader_data = TensorDataset(torch.randn(400, 10), torch.randn(400, 1))
if 200 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 200 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=200 // dist.get_world_size(), sampler=loader_sampler)
model = nn.Linear(10, 1)
optimizer = torch.optim.LBFGS(model.parameters(), lr=0.8)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(seed + dist.get_rank())
for epoch in range(5):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        def closure():
            if torch.is_grad_enabled():
                optimizer.zero_grad()
            loss = nn.functional.mse_loss(ddp_model(x), y)
            if loss.requires_grad:
                loss.backward()
            total = torch.tensor(float(loss), dtype=torch.float64)
            dist.all_reduce(total)
            mean_loss = (total / dist.get_world_size()).to(loss.dtype)
            return mean_loss
        optimizer.step(closure)
del ddp_model
dist.destroy_process_group()
