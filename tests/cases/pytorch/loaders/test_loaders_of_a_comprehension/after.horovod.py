"""Several test loaders made by one comprehension, out of calls on its own variable: all processes evaluate all."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


def noisy(level):
    return TensorDataset(torch.randn(80, 8) * level, torch.randn(80, 1))


hvd.init()
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
torch.manual_seed(seed)
train_data = TensorDataset(torch.randn(200, 8), torch.randn(200, 1))
if 20 % hvd.size() != 0:
    raise SystemExit(f"batch size 20 cannot be shared out over {hvd.size()} processes")
train_sampler = DistributedSampler(train_data, num_replicas=hvd.size(), rank=hvd.rank())
train_loader = DataLoader(train_data, batch_size=20 // hvd.size(), sampler=train_sampler)
test_loaders = [DataLoader(noisy(level), batch_size=40) for level in (1, 2)]
model = nn.Linear(8, 1)
criterion = nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())

hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(seed + hvd.rank())
for epoch in range(3):
    train_loader.sampler.set_epoch(epoch)
    for x, y in train_loader:
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        optimizer.step()
    for loader in test_loaders:
        total = 0.0
        with torch.no_grad():
            for x, y in loader:
                total += criterion(model(x), y).item() * len(x)
        if hvd.rank() == 0:
            print(epoch, total / len(loader.dataset))
hvd.shutdown()
