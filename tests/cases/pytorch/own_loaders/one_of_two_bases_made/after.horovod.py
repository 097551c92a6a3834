"""The constructor of a class derived from DataLoader calls its base on two paths: both make the loader."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


class Batches(DataLoader):
    def __init__(self, data, size, workers=0):
        if workers:
            if size % hvd.size() != 0:
                raise SystemExit(f"batch size {size} cannot be shared out over {hvd.size()} processes")
            loader_sampler = DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank())
            super().__init__(data, batch_size=size // hvd.size(), sampler=loader_sampler, num_workers=workers)
        else:
            if size % hvd.size() != 0:
                raise SystemExit(f"batch size {size} cannot be shared out over {hvd.size()} processes")
            loader_sampler = DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank())
            super().__init__(data, batch_size=size // hvd.size(), sampler=loader_sampler)


hvd.init()
torch.manual_seed(0)
train_set = TensorDataset(torch.randn(64, 4), torch.randint(0, 3, (64,)))
test_set = TensorDataset(torch.randn(30, 4), torch.randint(0, 3, (30,)))
train_loader = Batches(train_set, 8)
model = nn.Linear(4, 3)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    train_loader.sampler.set_epoch(epoch)
    for inputs, labels in train_loader:
        optimizer.zero_grad()
        loss = criterion(model(inputs), labels)
        loss.backward()
        optimizer.step()
hvd.shutdown()
