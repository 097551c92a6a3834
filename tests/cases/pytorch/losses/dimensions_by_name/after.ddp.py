"""Patches and attention heads, written with einops and einsum."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset
from einops import rearrange, repeat
from einops.layers.torch import Rearrange
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
data = TensorDataset(torch.randn(640, 3, 16, 16), torch.randint(0, 10, (640,)))
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
loader = DataLoader(data, batch_size=32 // dist.get_world_size(), sampler=DistributedSampler(data))


class Attention(nn.Module):
    def __init__(self, width, heads=4):
        super().__init__()
        self.heads = heads
        self.to_qkv = nn.Linear(width, width * 3, bias=False)
        self.to_out = nn.Linear(width, width)

    def forward(self, x):
        qkv = self.to_qkv(x).chunk(3, dim=-1)
        q, k, v = map(lambda t: rearrange(t, "b n (h d) -> b h n d", h=self.heads), qkv)
        weights = torch.einsum("bhid,bhjd->bhij", q, k).softmax(dim=-1)
        out = torch.einsum("bhij,bhjd->bhid", weights, v)
        return self.to_out(rearrange(out, "b h n d -> b n (h d)"))


class Vision(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.to_patches = nn.Sequential(
            Rearrange("b c (h p1) (w p2) -> b (h w) (p1 p2 c)", p1=4, p2=4),
            nn.Linear(48, width),
        )
        self.token = nn.Parameter(torch.randn(1, 1, width))
        self.attention = Attention(width)
        self.head = nn.Linear(width, 10)

    def forward(self, images):
        x = self.to_patches(images)
        b, n, _ = x.shape
        tokens = repeat(self.token, "1 1 d -> b 1 d", b=b)
        x = torch.cat((tokens, x), dim=1)
        return self.head(self.attention(x)[:, 0])


model = Vision()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(seed + dist.get_rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for images, labels in loader:
        loss = F.cross_entropy(ddp_model(images), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
