"""A method makes a new loader for each epoch, in the head of the loop in a function."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class Data:
    def __init__(self, features, labels):
        self.samples = TensorDataset(features, labels)

    def train_dataloader(self):
        if 16 % dist.get_world_size() != 0:
            raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
        return DataLoader(self.samples, batch_size=16 // dist.get_world_size(), sampler=DistributedSampler(self.samples))


def at_epoch(loader, epoch):
    loader.sampler.set_epoch(epoch)
    return loader


def train(model, data, optimizer, epoch):
    for number, (features, labels) in enumerate(at_epoch(data.train_dataloader(), epoch)):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(features), labels)
        loss.backward()
        optimizer.step()


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
x = torch.randn(96, 6)
data = Data(x, (x[:, 0] > 0).long())
model = nn.Linear(6, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(3):
    train(ddp_model, data, optimizer, epoch)
del ddp_model
dist.destroy_process_group()
