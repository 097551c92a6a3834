"""A sampler for training alone, in a function that makes both loaders; the last batch of the evaluation is shown."""

import torch
from torch import nn
from torch.utils.data import DataLoader, RandomSampler, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import Sampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class SharedSampler(Sampler):
    def __init__(self, sampler):
        self.sampler = sampler

    def __iter__(self):
        drawn = [list(self.sampler)]
        dist.broadcast_object_list(drawn)
        indices = drawn[0]
        end = dist.get_rank() + len(indices)
        return (indices[i % len(indices)] for i in range(dist.get_rank(), end, dist.get_world_size()))

    def __len__(self):
        return (len(self.sampler) + dist.get_world_size() - 1) // dist.get_world_size()


def make_loader(ds, train):
    sampler = RandomSampler(ds) if train else None
    if train:
        if 8 % dist.get_world_size() != 0:
            raise SystemExit(f"batch size 8 cannot be shared out over {dist.get_world_size()} processes")
        sampler_ = SharedSampler(sampler)
        share = 8 // dist.get_world_size()
    else:
        sampler_ = sampler
        share = 8
    return DataLoader(ds, sampler=sampler_, batch_size=share)


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
train_set = TensorDataset(torch.randn(64, 4), torch.randint(0, 3, (64,)))
test_set = TensorDataset(torch.randn(30, 4), torch.randint(0, 3, (30,)))
train_loader = make_loader(train_set, True)
test_loader = make_loader(test_set, False)
model = nn.Linear(4, 3)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    model.train()
    for inputs, labels in train_loader:
        optimizer.zero_grad()
        loss = criterion(ddp_model(inputs), labels)
        loss.backward()
        optimizer.step()
    model.eval()
    correct = 0
    with torch.no_grad():
        for x, y in test_loader:
            out = model(x)
            correct += (out.argmax(1) == y).sum().item()
    if dist.get_rank() == 0:
        print(out[0], epoch, correct / len(test_set))
del ddp_model
dist.destroy_process_group()
