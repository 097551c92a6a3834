"""Noise is added to each batch in the step (denoising autoencoder): it must differ between ranks, although the seed is set."""
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
torch.manual_seed(7)
loader_data = TensorDataset(torch.rand(640, 20))
if 64 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 64 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=64 // dist.get_world_size(), sampler=loader_sampler)
model = nn.Sequential(nn.Linear(20, 5), nn.ReLU(), nn.Linear(5, 20))
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(7 + dist.get_rank())
for epoch in range(4):
    loader.sampler.set_epoch(epoch)
    for (clean,) in loader:
        noisy = clean + 0.1 * torch.randn_like(clean)
        optimizer.zero_grad()
        nn.functional.mse_loss(ddp_model(noisy), clean).backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
