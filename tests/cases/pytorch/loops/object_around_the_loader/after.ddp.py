"""An object whose __iter__ hands on the batches of a loader is the pass; its loader is told the epoch."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class OnDevice:
    def __init__(self, loader, device):
        self.loader = loader
        self.device = device

    def __iter__(self):
        for x, y in self.loader:
            yield x.to(self.device), y.to(self.device)

    def __len__(self):
        return len(self.loader)


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("cpu:gloo,cuda:nccl" if torch.cuda.is_available() else "gloo")
if torch.cuda.is_available():
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
torch.manual_seed(0)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
inputs, labels = torch.randn(320, 6), torch.randint(0, 3, (320,))
train_data = TensorDataset(inputs[:256], labels[:256])
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
train_sampler = DistributedSampler(train_data)
train = DataLoader(train_data, batch_size=32 // dist.get_world_size(), sampler=train_sampler)
test_data = TensorDataset(inputs[256:], labels[256:])
test_sampler = range(dist.get_rank(), len(test_data), dist.get_world_size())
test = DataLoader(test_data, batch_size=16, sampler=test_sampler)
train, test = OnDevice(train, device), OnDevice(test, device)
model = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 3)).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    total = 0.0
    train.loader.sampler.set_epoch(epoch)
    for step, (x, y) in enumerate(train):
        loss = F.cross_entropy(ddp_model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    total_ = torch.tensor(total, dtype=torch.float64)
    dist.all_reduce(total_)
    total = total_.item() / dist.get_world_size()
    correct = 0
    with torch.no_grad():
        for x, y in test:
            correct += (model(x).argmax(1) == y).sum().item()
        total_ = torch.tensor(correct, dtype=torch.float64)
        dist.all_reduce(total_)
        correct = int(total_)
    if dist.get_rank() == 0:
        print(epoch, total / len(train), correct / len(labels[256:]))
del ddp_model
dist.destroy_process_group()
