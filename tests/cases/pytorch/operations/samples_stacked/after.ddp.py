"""Samples that a function of the script stacks are the samples of the batch."""
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, Dataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class Graphs(Dataset):
    def __init__(self, n=160):
        g = torch.Generator().manual_seed(1)
        self.items = []
        for _ in range(n):
            k = 5
            x = torch.randn(k, 5, generator=g)
            self.items.append((x, (x.sum(1) > 0).long()))

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        return self.items[i]


def collate(batch):
    xs, ys = zip(*batch)
    return torch.stack(xs), torch.cat([y[:1].unsqueeze(0) for y in ys])


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
loader_data = Graphs()
if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=16 // dist.get_world_size(), sampler=loader_sampler, collate_fn=collate)
model = nn.Sequential(nn.Linear(5, 16), nn.ReLU(), nn.Linear(16, 2))
opt = torch.optim.SGD(model.parameters(), lr=0.2)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for xb, yb in loader:
        loss = F.cross_entropy(ddp_model(xb).mean(1), yb.squeeze(1))
        opt.zero_grad()
        loss.backward()
        opt.step()
del ddp_model
dist.destroy_process_group()
