"""Data sets, splits and loaders are imported from the modules that define them: a split is drawn alike all the same."""

import torch
import torch.utils.data.dataset as datasets
from torch import nn
from torch.utils.data.dataloader import DataLoader
from torch.utils.data.dataset import TensorDataset, random_split
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
torch.manual_seed(seed)
x = torch.linspace(-1, 1, 80).view(80, 1)
train, rest = random_split(TensorDataset(x, (x[:, 0] > 0).long()), [48, 32])
valid, test = datasets.random_split(rest, [16, 16])
if 8 % hvd.size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {hvd.size()} processes")
train_sampler = DistributedSampler(train, num_replicas=hvd.size(), rank=hvd.rank())
train_loader = DataLoader(train, batch_size=8 // hvd.size(), sampler=train_sampler)
valid_loader = DataLoader(valid, batch_size=8, sampler=range(hvd.rank(), len(valid), hvd.size()))
model = nn.Linear(1, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(seed + hvd.rank())
for epoch in range(3):
    train_loader.sampler.set_epoch(epoch)
    for inputs, labels in train_loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(inputs), labels).backward()
        optimizer.step()
    hits = 0
    with torch.no_grad():
        for inputs, labels in valid_loader:
            hits += (model(inputs).argmax(1) == labels).sum().item()
        total = hvd.allreduce(torch.tensor(hits, dtype=torch.float64), op=hvd.Sum)
        hits = int(total)
    if hvd.rank() == 0:
        print(hits / len(valid))
hvd.shutdown()
