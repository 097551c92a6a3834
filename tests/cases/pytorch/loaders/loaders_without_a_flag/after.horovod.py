"""A function makes both loaders, and nothing tells where it makes which: it gets a flag."""

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(2)
x, y = torch.randn(400, 8), torch.randint(0, 3, (400,))


def make(data, size, for_training=False):
    if for_training:
        if size % hvd.size() != 0:
            raise SystemExit(f"batch size {size} cannot be shared out over {hvd.size()} processes")
        sampler = DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank())
        share = size // hvd.size()
    else:
        sampler = range(hvd.rank(), len(data), hvd.size())
        share = size
    return DataLoader(data, batch_size=share, sampler=sampler)


train_loader = make(TensorDataset(x[:320], y[:320]), 32, for_training=True)
test_loader = make(TensorDataset(x[320:], y[320:]), 80)
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Dropout(), nn.Linear(16, 3))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())

hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(2 + hvd.rank())
for epoch in range(3):
    model.train()
    train_loader.sampler.set_epoch(epoch)
    for inputs, labels in train_loader:
        optimizer.zero_grad()
        criterion(model(inputs), labels).backward()
        optimizer.step()
    hits = 0
    model.eval()
    with torch.no_grad():
        for inputs, labels in test_loader:
            hits += (model(inputs).argmax(1) == labels).sum().item()
        total = hvd.allreduce(torch.tensor(hits, dtype=torch.float64), op=hvd.Sum)
        hits = int(total)
    if hvd.rank() == 0:
        print(epoch, hits / len(test_loader.dataset))
hvd.shutdown()
