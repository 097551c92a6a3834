"""A method makes a new loader for each epoch, in the head of the loop in a function."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


class Data:
    def __init__(self, features, labels):
        self.samples = TensorDataset(features, labels)

    def train_dataloader(self):
        if 16 % hvd.size() != 0:
            raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
        return DataLoader(self.samples, batch_size=16 // hvd.size(), sampler=DistributedSampler(self.samples, num_replicas=hvd.size(), rank=hvd.rank()))


def at_epoch(loader, epoch):
    loader.sampler.set_epoch(epoch)
    return loader


def train(model, data, optimizer, epoch):
    for number, (features, labels) in enumerate(at_epoch(data.train_dataloader(), epoch)):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(features), labels)
        loss.backward()
        optimizer.step()


hvd.init()
torch.manual_seed(0)
x = torch.randn(96, 6)
data = Data(x, (x[:, 0] > 0).long())
model = nn.Linear(6, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(3):
    train(model, data, optimizer, epoch)
hvd.shutdown()
