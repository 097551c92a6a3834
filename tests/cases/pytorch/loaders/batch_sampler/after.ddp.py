"""A batch sampler of the user's own groups sentences of like length."""
import random
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import Sampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class Sequences(Dataset):
    def __init__(self):
        self.lengths = [3 + i % 9 for i in range(600)]

    def __len__(self):
        return len(self.lengths)

    def __getitem__(self, i):
        return torch.ones(self.lengths[i], 4), torch.tensor([float(self.lengths[i])])


class SameLength:
    def __init__(self, lengths, size):
        order = sorted(range(len(lengths)), key=lengths.__getitem__)
        self.batches = [order[i:i + size] for i in range(0, len(order), size) if lengths[order[i]] == lengths[order[min(i + size, len(order)) - 1]]]

    def __iter__(self):
        random.shuffle(self.batches)
        return iter(self.batches)

    def __len__(self):
        return len(self.batches)


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
data = Sequences()


class SharedBatches(Sampler):
    def __init__(self, batches):
        self.batches = batches

    def __iter__(self):
        drawn = [[list(batch) for batch in self.batches]]
        dist.broadcast_object_list(drawn)
        for batch in drawn[0]:
            yield [
                batch[i % len(batch)]
                for i in range(dist.get_rank(), dist.get_rank() + len(batch), dist.get_world_size())
            ]

    def __len__(self):
        return len(self.batches)


loader = DataLoader(data, batch_sampler=SharedBatches(SameLength(data.lengths, 10)))
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
ddp_model = DistributedDataParallel(model)
for epoch in range(3):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(ddp_model(x).mean(1), y).backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
