"""A test loader whose batch_size is read keeps it: loaders of whole batches have none."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
x = torch.randn(400, 6)
y = (x[:, 0] > 0).long()
loader_data = TensorDataset(x[:320], y[:320])
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=32 // hvd.size(), sampler=loader_sampler)
test_loader = DataLoader(TensorDataset(x[320:], y[320:]), batch_size=20)
model = nn.Linear(6, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
criterion = nn.CrossEntropyLoss()

hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for a, b in loader:
        loss = criterion(model(a), b)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    accuracy = 0.0
    with torch.no_grad():
        for a, b in test_loader:
            accuracy += (model(a).argmax(1) == b).sum().item() / test_loader.batch_size
    if hvd.rank() == 0:
        print(epoch, accuracy / len(test_loader))
hvd.shutdown()
