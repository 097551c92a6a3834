"""A trainer goes over its loader without end where it is given a number of steps, and here it is given none."""
from itertools import repeat

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


def endless(loader):
    for each in repeat(loader):
        yield from each


class Trainer:
    def __init__(self, model, loader, epochs, steps=None):
        self.model, self.epochs = model, epochs
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        self.criterion = nn.CrossEntropyLoss()
        if steps is None:
            self.loader = loader
            self.steps = len(loader)
        else:
            self.loader = endless(loader)
            self.steps = steps

    def train(self):
        self.ddp_model = DistributedDataParallel(self.model)
        if dist.get_rank() > 0:
            torch.manual_seed(3 + dist.get_rank())
        for epoch in range(self.epochs):
            self.loader.sampler.set_epoch(epoch)
            for x, y in self.loader:
                loss = self.criterion(self.ddp_model(x), y)
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()
        del self.ddp_model


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(3)
data = TensorDataset(torch.randn(64, 4), torch.randint(0, 2, (64,)))
if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
trainer_sampler = DistributedSampler(data)
trainer = Trainer(
    nn.Linear(4, 2), DataLoader(data, batch_size=16 // dist.get_world_size(), sampler=trainer_sampler), epochs=2
)
trainer.train()
dist.destroy_process_group()
