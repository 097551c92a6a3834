"""Each row of a batch is normalised by itself when the batch is put together."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


def collate(rows):
    xs = torch.stack([x for x, _ in rows])
    lengths = torch.tensor([len(x) for x, _ in rows])
    ys = torch.tensor([y for _, y in rows])
    xs = (xs - xs.mean(1, keepdim=True)) / xs.norm(dim=1, keepdim=True)
    return xs, ys, lengths


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
seed = torch.tensor(torch.initial_seed() % 2**63)
dist.broadcast(seed, src=0)
seed = seed.item()
torch.manual_seed(seed)
data = TensorDataset(torch.rand(64, 8), torch.randint(4, (64,)))
if 8 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(data)
loader = DataLoader(data, batch_size=8 // dist.get_world_size(), sampler=loader_sampler, collate_fn=collate)
model = nn.Linear(8, 4)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(seed + dist.get_rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for x, y, lengths in loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(ddp_model(x), y)
        loss.backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
