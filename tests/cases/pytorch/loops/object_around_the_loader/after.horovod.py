"""An object whose __iter__ hands on the batches of a loader is the pass; its loader is told the epoch."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


class OnDevice:
    def __init__(self, loader, device):
        self.loader = loader
        self.device = device

    def __iter__(self):
        for x, y in self.loader:
            yield x.to(self.device), y.to(self.device)

    def __len__(self):
        return len(self.loader)


hvd.init()
if torch.cuda.is_available():
    torch.cuda.set_device(hvd.local_rank())
torch.manual_seed(0)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
inputs, labels = torch.randn(320, 6), torch.randint(0, 3, (320,))
train_data = TensorDataset(inputs[:256], labels[:256])
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
train_sampler = DistributedSampler(train_data, num_replicas=hvd.size(), rank=hvd.rank())
train = DataLoader(train_data, batch_size=32 // hvd.size(), sampler=train_sampler)
test_data = TensorDataset(inputs[256:], labels[256:])
test_sampler = range(hvd.rank(), len(test_data), hvd.size())
test = DataLoader(test_data, batch_size=16, sampler=test_sampler)
train, test = OnDevice(train, device), OnDevice(test, device)
model = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 3)).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())

hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    total = 0.0
    train.loader.sampler.set_epoch(epoch)
    for step, (x, y) in enumerate(train):
        loss = F.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    total_ = hvd.allreduce(torch.tensor(total, dtype=torch.float64), op=hvd.Sum)
    total = total_.item() / hvd.size()
    correct = 0
    with torch.no_grad():
        for x, y in test:
            correct += (model(x).argmax(1) == y).sum().item()
        total_ = hvd.allreduce(torch.tensor(correct, dtype=torch.float64), op=hvd.Sum)
        correct = int(total_)
    if hvd.rank() == 0:
        print(epoch, total / len(train), correct / len(labels[256:]))
hvd.shutdown()
