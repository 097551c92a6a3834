"""A learned token for each sample is put in front of its patches; a class of layers comes with some arguments."""
import torch, torch.nn as nn
from functools import partial
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending
def drop_path(x, drop_prob=0., training=False):
    if drop_prob == 0. or not training:
        return x
    keep_prob = 1 - drop_prob
    shape = (x.shape[0],) + (1,) * (x.ndim - 1)
    random_tensor = keep_prob + torch.rand(shape, dtype=x.dtype, device=x.device)
    random_tensor.floor_()
    return x.div(keep_prob) * random_tensor
class DropPath(nn.Module):
    def __init__(self, drop_prob=None):
        super().__init__()
        self.drop_prob = drop_prob
    def forward(self, x):
        return drop_path(x, self.drop_prob, self.training)
class Embed(nn.Module):
    def __init__(self, norm_layer=None):
        super().__init__()
        self.proj = nn.Conv2d(1, 8, 2, 2)
        self.norm = norm_layer(8) if norm_layer else nn.Identity()
    def forward(self, x):
        B, C, H, W = x.shape
        assert H == 6
        x = self.proj(x).flatten(2).transpose(1, 2)
        return self.norm(x)
class Attention(nn.Module):
    def __init__(self, dim=8, num_heads=2):
        super().__init__()
        self.num_heads = num_heads
        self.scale = (dim // num_heads) ** -0.5
        self.qkv = nn.Linear(dim, dim * 3)
        self.proj = nn.Linear(dim, dim)
    def forward(self, x):
        B, N, C = x.shape
        qkv = self.qkv(x).reshape(B, N, 3, self.num_heads, C // self.num_heads).permute(2, 0, 3, 1, 4)
        q, k, v = qkv[0], qkv[1], qkv[2]
        attn = (q @ k.transpose(-2, -1)) * self.scale
        attn = attn.softmax(dim=-1)
        x = (attn @ v).transpose(1, 2).reshape(B, N, C)
        return self.proj(x)
class Block(nn.Module):
    def __init__(self, dim, norm_layer=nn.LayerNorm, drop=0.1):
        super().__init__()
        self.norm1 = norm_layer(dim)
        self.attn = Attention()
        self.drop_path = DropPath(drop) if drop > 0. else nn.Identity()
    def forward(self, x):
        return x + self.drop_path(self.attn(self.norm1(x)))
class Net(nn.Module):
    def __init__(self, norm_layer=None, distilled=False):
        super().__init__()
        norm_layer = norm_layer or partial(nn.LayerNorm, eps=1e-6)
        self.patch_embed = Embed()
        self.cls_token = nn.Parameter(torch.zeros(1, 1, 8))
        self.dist_token = nn.Parameter(torch.zeros(1, 1, 8)) if distilled else None
        self.pos_embed = nn.Parameter(torch.zeros(1, 10, 8))
        self.blocks = nn.Sequential(*[Block(8, norm_layer) for i in range(2)])
        self.norm = norm_layer(8)
        self.head = nn.Linear(8, 3)
    def forward_features(self, x):
        x = self.patch_embed(x)
        cls_token = self.cls_token.expand(x.shape[0], -1, -1)
        if self.dist_token is None:
            x = torch.cat((cls_token, x), dim=1)
        else:
            x = torch.cat((cls_token, self.dist_token.expand(x.shape[0], -1, -1), x), dim=1)
        x = x + self.pos_embed
        x = self.blocks(x)
        x = self.norm(x)
        if self.dist_token is None:
            return x[:, 0]
        else:
            return x[:, 0], x[:, 1]
    def forward(self, x):
        x = self.forward_features(x)
        x = self.head(x)
        return x
if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("cpu:gloo,cuda:nccl" if torch.cuda.is_available() else "gloo")
if torch.cuda.is_available():
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
torch.manual_seed(0)
loader_data = TensorDataset(torch.randn(64, 1, 6, 6), torch.randint(0, 3, (64,)))
if 8 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data, shuffle=False)
loader = DataLoader(loader_data, batch_size=8 // dist.get_world_size(), sampler=loader_sampler)
model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        loss = nn.functional.cross_entropy(ddp_model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
