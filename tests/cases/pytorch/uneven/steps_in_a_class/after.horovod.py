"""Shares of a batch may differ in size: a step in a method, batches in the order of the data, the last one dropped."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data import Sampler


class SharedSampler(Sampler):
    def __init__(self, sampler, batch_size, drop_last=False):
        self.sampler, self.batch_size = sampler, batch_size
        self.drop_last = drop_last

    def __iter__(self):
        indices = hvd.broadcast_object(list(self.sampler))
        end = len(indices)
        if self.drop_last:
            end -= end % self.batch_size
        if 0 < end % self.batch_size < hvd.size():
            raise SystemExit("the last batch has fewer samples than there are processes: use drop_last=True")
        return (indices[i] for i in range(end) if i % self.batch_size % hvd.size() == hvd.rank())

    def __len__(self):
        end = len(self.sampler)
        if self.drop_last:
            end -= end % self.batch_size
        full, rest = (len(range(hvd.rank(), n, hvd.size())) for n in (self.batch_size, end % self.batch_size))
        return end // self.batch_size * full + rest


def share_weight(samples):
    total = hvd.allreduce(torch.tensor([len(samples)], device=samples.device), op=hvd.Sum)
    return len(samples) * hvd.size() / total.item()


class Trainer:
    def __init__(self, data):
        if 15 < hvd.size():
            raise SystemExit(f"batch size 15 cannot be shared out over {hvd.size()} processes")
        self.loader = DataLoader(
            data,
            batch_size=len(range(hvd.rank(), 15, hvd.size())),
            drop_last=True,
            sampler=SharedSampler(range(len(data)), 15, drop_last=True),
        )
        self.model = nn.Linear(8, 2)
        self.criterion = nn.CrossEntropyLoss()
        self.optimizer = hvd.DistributedOptimizer(
            torch.optim.SGD(self.model.parameters(), lr=0.1), named_parameters=self.model.named_parameters()
        )

    def step(self, x, y):
        weight = share_weight(x)
        self.optimizer.zero_grad()
        loss = self.criterion(self.model(x), y)
        (loss * weight).backward()
        self.optimizer.step()
        return loss.item()

    def epoch(self):
        total = 0.0
        for x, y in self.loader:
            weight = share_weight(x)
            total += self.step(x, y) * weight
        total_ = hvd.allreduce(torch.tensor(total, dtype=torch.float64), op=hvd.Sum)
        total = total_.item() / hvd.size()
        return total / len(self.loader)


hvd.init()
torch.manual_seed(0)
trainer = Trainer(TensorDataset(torch.randn(80, 8), torch.randint(0, 2, (80,))))
hvd.broadcast_parameters(trainer.model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(torch.randint(2**31, ()).item() + hvd.rank())
for epoch in range(3):
    epoch_result = trainer.epoch()
    if hvd.rank() == 0:
        print(epoch, epoch_result)
hvd.shutdown()
