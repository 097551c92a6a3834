"""Each vector of a sample takes the nearest code of a codebook: no sample meets another one, in whatever shape."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class Quantizer(nn.Module):
    def __init__(self, size, count):
        super().__init__()
        self.codebook = nn.Embedding(size, count)

    def forward(self, z):
        codes = self.codebook.weight
        distances = torch.cdist(z, codes.unsqueeze(0).expand(z.size(0), -1, -1), p=2)
        q = F.embedding(distances.argmin(dim=-1), codes)
        others = codes[((z.unsqueeze(2) - codes) ** 2).sum(-1).argmin(-1)]
        commitment = F.mse_loss(z, q.detach()) + 0.25 * F.mse_loss(others, z.detach())
        return z + (q - z).detach(), commitment


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Linear(8, 4)
        self.quantizer = Quantizer(16, 4)
        self.decoder = nn.Linear(4, 8)

    def forward(self, x):
        q, commitment = self.quantizer(self.encoder(x))
        return self.decoder(q), commitment


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
loader_data = TensorDataset(torch.randn(64, 5, 8))
if 8 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=8 // dist.get_world_size(), sampler=loader_sampler)
model = Model()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    total = 0.0
    loader.sampler.set_epoch(epoch)
    for (x,) in loader:
        restored, commitment = ddp_model(x)
        loss = F.mse_loss(restored, x) + commitment
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    total_ = torch.tensor(total, dtype=torch.float64)
    dist.all_reduce(total_)
    total = total_.item() / dist.get_world_size()
    if dist.get_rank() == 0:
        print(epoch, total / len(loader))
del ddp_model
dist.destroy_process_group()
