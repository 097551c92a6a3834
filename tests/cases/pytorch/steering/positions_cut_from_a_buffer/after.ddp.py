"""Positions are cut from a buffer at the length of the batch; that the cut needs no gradient freezes no parameter."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class Positions(nn.Module):
    def __init__(self, length, width):
        super().__init__()
        table = torch.zeros(length, width)
        table[:, 0] = torch.arange(length)
        self.register_buffer("table", table.unsqueeze(0))

    def forward(self, x):
        return x + self.table[:, : x.size(1)].requires_grad_(False)


def padded(samples):
    return nn.utils.rnn.pad_sequence(samples, batch_first=True)


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
seed = torch.tensor(torch.initial_seed() % 2**63)
dist.broadcast(seed, src=0)
seed = seed.item()
torch.manual_seed(seed)
texts = [torch.randint(1, 50, (5 + i % 7,)) for i in range(96)]
if 12 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 12 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(texts)
loader = DataLoader(texts, batch_size=12 // dist.get_world_size(), sampler=loader_sampler, collate_fn=padded)
embed = nn.Embedding(50, 8, padding_idx=0)
model = nn.Sequential(embed, Positions(64, 8), nn.Linear(8, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(seed + dist.get_rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for tokens in loader:
        optimizer.zero_grad()
        ddp_model(tokens).mean(1).pow(2).mean().backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
