"""A trainer goes over its loader without end where it is given a number of steps, and here it is given none."""
from itertools import repeat

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


def endless(loader):
    for each in repeat(loader):
        yield from each


class Trainer:
    def __init__(self, model, loader, epochs, steps=None):
        self.model, self.epochs = model, epochs
        self.optimizer = hvd.DistributedOptimizer(
            torch.optim.SGD(model.parameters(), lr=0.1), named_parameters=model.named_parameters()
        )
        self.criterion = nn.CrossEntropyLoss()
        if steps is None:
            self.loader = loader
            self.steps = len(loader)
        else:
            self.loader = endless(loader)
            self.steps = steps

    def train(self):
        hvd.broadcast_parameters(self.model.state_dict(), root_rank=0)
        if hvd.rank() > 0:
            torch.manual_seed(3 + hvd.rank())
        for epoch in range(self.epochs):
            self.loader.sampler.set_epoch(epoch)
            for x, y in self.loader:
                loss = self.criterion(self.model(x), y)
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()


hvd.init()
torch.manual_seed(3)
data = TensorDataset(torch.randn(64, 4), torch.randint(0, 2, (64,)))
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
trainer_sampler = DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank())
trainer = Trainer(nn.Linear(4, 2), DataLoader(data, batch_size=16 // hvd.size(), sampler=trainer_sampler), epochs=2)
trainer.train()
hvd.shutdown()
