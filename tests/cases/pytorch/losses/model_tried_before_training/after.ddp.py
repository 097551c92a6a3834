"""A model that changes tensors in place, and is tried on one sample before it is trained."""
import torch
import torch.nn as nn
import torch.nn.functional as F
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
data = TensorDataset(torch.rand(640, 16))
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
loader = DataLoader(data, batch_size=32 // dist.get_world_size(), sampler=DistributedSampler(data))


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.middle = nn.Linear(16, 4)
        self.spread = nn.Linear(16, 4)
        self.decode = nn.Linear(4, 16)

    def forward(self, x):
        middle, spread = self.middle(x), self.spread(x)
        noise = torch.randn_like(spread)
        z = noise.mul(spread.mul(0.5).exp_()).add_(middle)
        return torch.sigmoid(self.decode(z)), middle, spread


model = Encoder()
model_result = model(data[0][0].view(1, -1))
if dist.get_rank() == 0:
    print(model_result[1])
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(seed + dist.get_rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for (x,) in loader:
        again, middle, spread = ddp_model(x)
        divergence = middle.pow(2).add_(spread.exp()).mul_(-1).add_(1).add_(spread).sum().mul_(-0.5)
        loss = (F.mse_loss(again, x, reduction="sum") + divergence) / x.size(0)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
