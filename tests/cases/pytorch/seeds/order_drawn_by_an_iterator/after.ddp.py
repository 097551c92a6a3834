"""An object of the script draws an order where a loop over it begins: NumPy's numbers stay the same, the layers' differ."""

import numpy as np
import torch
from torch import nn
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class Pairs:
    def __init__(self, size, epochs, batch_size):
        self.rows = np.arange(size)
        self.epochs = epochs
        self.batch_size = batch_size

    def __iter__(self):
        for _ in range(self.epochs):
            order = np.random.permutation(len(self.rows))
            for start in range(0, len(self.rows), self.batch_size):
                rows = self.rows[order[start : start + self.batch_size]]
                yield torch.tensor(rows, dtype=torch.long), torch.tensor(rows % 4, dtype=torch.long)


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
np.random.seed(0)
torch.manual_seed(0)
pairs = Pairs(32, 2, 8)
model = nn.Sequential(nn.Embedding(32, 4), nn.Dropout(0.1))
optimizer = torch.optim.SGD(model.parameters(), lr=1.0)


def fill_and_share_rows(batch):
    rows = torch.arange(dist.get_rank(), dist.get_rank() + len(batch), dist.get_world_size()) % len(batch)
    return batch[rows]


ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for word, label in (tuple(map(fill_and_share_rows, batch)) for batch in pairs):
    optimizer.zero_grad()
    nn.functional.cross_entropy(ddp_model(word), label).backward()
    optimizer.step()
if dist.get_rank() == 0:
    torch.save(model.state_dict(), "model.pt")
del ddp_model
dist.destroy_process_group()
