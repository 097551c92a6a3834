"""The first loader of a list is one of two, the second one is added after either."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(3)
train_set = TensorDataset(torch.randn(64, 4), torch.randint(0, 2, (64,)))
test_set = TensorDataset(torch.randn(32, 4), torch.randint(0, 2, (32,)))

small = len(train_set) < 100
loaders = []
if small:
    if 8 % hvd.size() != 0:
        raise SystemExit(f"batch size 8 cannot be shared out over {hvd.size()} processes")
    loader_sampler = DistributedSampler(train_set, num_replicas=hvd.size(), rank=hvd.rank())
    loaders.append(DataLoader(train_set, batch_size=8 // hvd.size(), sampler=loader_sampler))
else:
    if 16 % hvd.size() != 0:
        raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
    loader_sampler = DistributedSampler(train_set, num_replicas=hvd.size(), rank=hvd.rank())
    loaders.append(DataLoader(train_set, batch_size=16 // hvd.size(), sampler=loader_sampler))
loader_sampler = range(hvd.rank(), len(test_set), hvd.size())
loaders.append(DataLoader(test_set, batch_size=16, sampler=loader_sampler))
train_loader, test_loader = loaders

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
