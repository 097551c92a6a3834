"""Shares of a batch may differ in size: a step in a method, batches in the order of the data, the last one dropped."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import Sampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class SharedSampler(Sampler):
    def __init__(self, sampler, batch_size, drop_last=False):
        self.sampler, self.batch_size = sampler, batch_size
        self.drop_last = drop_last

    def __iter__(self):
        drawn = [list(self.sampler)]
        dist.broadcast_object_list(drawn)
        indices = drawn[0]
        end = len(indices)
        if self.drop_last:
            end -= end % self.batch_size
        if 0 < end % self.batch_size < dist.get_world_size():
            raise SystemExit("the last batch has fewer samples than there are processes: use drop_last=True")
        return (indices[i] for i in range(end) if i % self.batch_size % dist.get_world_size() == dist.get_rank())

    def __len__(self):
        end = len(self.sampler)
        if self.drop_last:
            end -= end % self.batch_size
        full, rest = (
            len(range(dist.get_rank(), n, dist.get_world_size())) for n in (self.batch_size, end % self.batch_size)
        )
        return end // self.batch_size * full + rest


def share_weight(samples):
    total = torch.tensor([len(samples)], device=samples.device)
    dist.all_reduce(total)
    return len(samples) * dist.get_world_size() / total.item()


class Trainer:
    def __init__(self, data):
        if 15 < dist.get_world_size():
            raise SystemExit(f"batch size 15 cannot be shared out over {dist.get_world_size()} processes")
        self.loader = DataLoader(
            data,
            batch_size=len(range(dist.get_rank(), 15, dist.get_world_size())),
            drop_last=True,
            sampler=SharedSampler(range(len(data)), 15, drop_last=True),
        )
        self.model = nn.Linear(8, 2)
        self.criterion = nn.CrossEntropyLoss()
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)

    def step(self, x, y):
        weight = share_weight(x)
        self.optimizer.zero_grad()
        loss = self.criterion(self.ddp_model(x), y)
        (loss * weight).backward()
        self.optimizer.step()
        return loss.item()

    def epoch(self):
        total = 0.0
        for x, y in self.loader:
            weight = share_weight(x)
            total += self.step(x, y) * weight
        total_ = torch.tensor(total, dtype=torch.float64)
        dist.all_reduce(total_)
        total = total_.item() / dist.get_world_size()
        return total / len(self.loader)


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
trainer = Trainer(TensorDataset(torch.randn(80, 8), torch.randint(0, 2, (80,))))
trainer.ddp_model = DistributedDataParallel(trainer.model)
if dist.get_rank() > 0:
    torch.manual_seed(torch.randint(2**31, ()).item() + dist.get_rank())
for epoch in range(3):
    epoch_result = trainer.epoch()
    if dist.get_rank() == 0:
        print(epoch, epoch_result)
del trainer.ddp_model
dist.destroy_process_group()
