"""Loaders are added to a list on conditions, and both are taken out of it; of one alone, the function gives no list."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(3)
train_set = TensorDataset(torch.randn(64, 4), torch.randint(0, 2, (64,)))
test_set = TensorDataset(torch.randn(32, 4), torch.randint(0, 2, (32,)))


def loaders(batch_size, train=True, val=True):
    found = []
    if train:
        if batch_size % hvd.size() != 0:
            raise SystemExit(f"batch size {batch_size} cannot be shared out over {hvd.size()} processes")
        loader_sampler = DistributedSampler(train_set, num_replicas=hvd.size(), rank=hvd.rank())
        found.append(DataLoader(train_set, batch_size=batch_size // hvd.size(), sampler=loader_sampler))
    if val:
        loader_sampler = range(hvd.rank(), len(test_set), hvd.size())
        found.append(DataLoader(test_set, batch_size=batch_size, sampler=loader_sampler))
    found = found[0] if len(found) == 1 else found
    return found


train_loader, test_loader = loaders(batch_size=16)


model = nn.Linear(4, 2)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(3 + hvd.rank())
for epoch in range(2):
    train_loader.sampler.set_epoch(epoch)
    for x, y in train_loader:
        loss = criterion(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    correct = 0
    with torch.no_grad():
        for x, y in test_loader:
            correct += (model(x).argmax(1) == y).sum().item()
        total = hvd.allreduce(torch.tensor(correct, dtype=torch.float64), op=hvd.Sum)
        correct = int(total)
    if hvd.rank() == 0:
        print(epoch, correct / len(test_set))
hvd.shutdown()
