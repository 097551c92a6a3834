"""Model, loss and optimizer are chosen by name on the command line; a layer of one model is never used."""
import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
parser = argparse.ArgumentParser()
parser.add_argument("--model", default="deep")
parser.add_argument("--loss", default="plain")
parser.add_argument("--optimizer", default="sgd")
args = parser.parse_args()


class Shallow(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.layer = nn.Linear(12, classes)

    def forward(self, x):
        return self.layer(x)


class Deep(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.body = nn.Linear(12, 16)
        self.head = nn.Linear(16, classes)
        self.spare = nn.Linear(2, 2)

    def forward(self, x):
        return self.head(torch.relu(self.body(x)))


class Losses:
    def __init__(self, smoothing=0.1):
        self.smoothing = smoothing

    def build(self, mode):
        if mode == "plain":
            return self.plain
        return self.smoothed

    def plain(self, logits, target):
        return F.cross_entropy(logits, target)

    def smoothed(self, logits, target):
        return F.cross_entropy(logits, target, label_smoothing=self.smoothing)


MODELS = {"shallow": Shallow, "deep": Deep}
OPTIMIZERS = {"sgd": torch.optim.SGD, "adam": torch.optim.Adam}

torch.manual_seed(0)
train_data = TensorDataset(torch.randn(320, 12), torch.randint(0, 3, (320,)))
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
train_sampler = DistributedSampler(train_data)
train_loader = DataLoader(train_data, batch_size=32 // dist.get_world_size(), sampler=train_sampler)
test_data = TensorDataset(torch.randn(64, 12), torch.randint(0, 3, (64,)))
test_sampler = range(dist.get_rank(), len(test_data), dist.get_world_size())
test_loader = DataLoader(test_data, batch_size=32, sampler=test_sampler)
model = MODELS[args.model](3)
criterion = Losses().build(args.loss)
optimizer = OPTIMIZERS[args.optimizer](model.parameters(), lr=0.05)
ddp_model = DistributedDataParallel(model, find_unused_parameters=True)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(3):
    train_loader.sampler.set_epoch(epoch)
    for x, y in train_loader:
        loss = criterion(ddp_model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    correct = 0
    with torch.no_grad():
        for x, y in test_loader:
            correct += (model(x).argmax(1) == y).sum().item()
        total = torch.tensor(correct, dtype=torch.float64)
        dist.all_reduce(total)
        correct = int(total)
    if dist.get_rank() == 0:
        print(epoch, correct / len(test_loader.dataset))
del ddp_model
dist.destroy_process_group()
