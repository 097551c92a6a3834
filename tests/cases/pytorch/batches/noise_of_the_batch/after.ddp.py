"""A conditional generator: a function makes the batch, and the loop draws noise for as many samples."""
import numpy as np
import torch
from torch import nn
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
np.random.seed(0)
torch.manual_seed(0)
batch_size = 64
points = np.vstack([np.linspace(-1, 1, 15) for _ in range(batch_size)])


def works_with_labels():
    a = np.random.uniform(1, 2, size=batch_size)[:, np.newaxis]
    paintings = torch.from_numpy(a * np.power(points, 2) + (a - 1)).float()
    return paintings, torch.from_numpy((a > 1.5).astype(np.float32))


generator = nn.Sequential(nn.Linear(6, 32), nn.ReLU(), nn.Linear(32, 15))
optimizer = torch.optim.SGD(generator.parameters(), lr=0.05)


def share_rows(batch):
    if len(batch) % dist.get_world_size() != 0:
        raise SystemExit(f"batch size {len(batch)} cannot be shared out over {dist.get_world_size()} processes")
    rows = len(batch) // dist.get_world_size()
    return batch[dist.get_rank() * rows :][:rows]


ddp_generator = DistributedDataParallel(generator)
for step in range(100):
    paintings, labels = map(share_rows, works_with_labels())
    ideas = share_rows(torch.randn(batch_size, 5))
    loss = ((ddp_generator(torch.cat((ideas, labels), 1)) - paintings) ** 2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 20 == 0:
        total = torch.tensor(loss.item(), dtype=torch.float64)
        dist.all_reduce(total)
        mean_loss = total.item() / dist.get_world_size()
        if dist.get_rank() == 0:
            print(step, mean_loss)
del ddp_generator
dist.destroy_process_group()
