"""The batch size is a shape of whole batches only, which every process evaluates: this stays as it is."""
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
batch_size = 16
x = torch.randn(64, 4)
loader_data = TensorDataset(x)
if batch_size % dist.get_world_size() != 0:
    raise SystemExit(f"batch size {batch_size} cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=batch_size // dist.get_world_size(), sampler=loader_sampler)
test_loader = DataLoader(TensorDataset(x), batch_size=batch_size)
model = nn.Linear(4, 4)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for i, (xb,) in enumerate(loader):
        opt.zero_grad()
        loss = ((ddp_model(xb) - xb) ** 2).mean()
        loss.backward()
        opt.step()
    total = 0.0
    for i, (xb,) in enumerate(test_loader):
        recon = model(xb)
        total += ((recon - xb) ** 2).sum().item()
        if i == 0:
            n = min(xb.size(0), 8)
            grid = torch.cat([xb[:n], recon.view(batch_size, 4)[:n]])
            noise = torch.zeros(batch_size, 4)
            if dist.get_rank() == 0:
                torch.save((grid + noise[0]).detach(), "grid.pt")
    if dist.get_rank() == 0:
        print(total / 64)
del ddp_model
dist.destroy_process_group()
