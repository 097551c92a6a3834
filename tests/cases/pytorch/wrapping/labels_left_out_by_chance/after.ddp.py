"""Diffusion with guidance: labels are left out of some steps, by chance; the model does without them."""
import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class Net(nn.Module):
    def __init__(self, classes=None):
        super().__init__()
        self.inner = nn.Linear(8, 8)
        self.outer = nn.Linear(8, 4)
        if classes is not None:
            self.label_emb = nn.Embedding(classes, 8)

    def encode(self, t, channels):
        inv = 1.0 / (10000 ** (torch.arange(0, channels, 2).float() / channels))
        a = torch.sin(t.repeat(1, channels // 2) * inv)
        b = torch.cos(t.repeat(1, channels // 2) * inv)
        return torch.cat([a, b], dim=-1)

    def forward(self, x, t, y=None):
        t = t.unsqueeze(-1).type(torch.float)
        t = self.encode(t, 8)
        if y is not None:
            t += self.label_emb(y)
        return self.outer(torch.relu(self.inner(x) + t))


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
loader_data = TensorDataset(torch.randn(64, 8), torch.randint(0, 3, (64,)))
if 8 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=8 // dist.get_world_size(), sampler=loader_sampler)
model = Net(3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model, find_unused_parameters=True)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for x, labels in loader:
    t = torch.randint(low=1, high=100, size=(x.shape[0],))
    if np.random.random() < 0.1:
        labels = None
    loss = ddp_model(x, t, labels).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
del ddp_model
dist.destroy_process_group()
