"""A variational autoencoder that draws its noise into a new tensor: another for each sample, so samples stay apart."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class VAE(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = nn.Linear(20, 16)
        self.mean = nn.Linear(16, 4)
        self.logvar = nn.Linear(16, 4)
        self.out = nn.Linear(4, 20)

    def forward(self, x):
        h = F.relu(self.hidden(x))
        mean, logvar = self.mean(h), self.logvar(h)
        std = logvar.mul(0.5).exp_()
        eps = torch.FloatTensor(std.size()).normal_()
        return torch.sigmoid(self.out(eps.mul(std).add_(mean))), mean, logvar


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(3)
loader_data = TensorDataset(torch.rand(500, 20))
if 50 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 50 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=50 // dist.get_world_size(), sampler=loader_sampler)
model = VAE()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(3 + dist.get_rank())
for epoch in range(2):
    total = 0
    loader.sampler.set_epoch(epoch)
    for (x,) in loader:
        recon, mean, logvar = ddp_model(x)
        divergence = -0.5 * torch.sum(1 + logvar - mean.pow(2) - logvar.exp())
        loss = F.binary_cross_entropy(recon, x, reduction="sum") + divergence
        optimizer.zero_grad()
        (loss * dist.get_world_size()).backward()
        optimizer.step()
        total += loss.item()
    total_ = torch.tensor(total, dtype=torch.float64)
    dist.all_reduce(total_)
    total = total_.item()
    if dist.get_rank() == 0:
        print(epoch, total / loader.sampler.total_size)
del ddp_model
dist.destroy_process_group()
