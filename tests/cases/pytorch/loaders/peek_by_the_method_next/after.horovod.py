"""An iterator of older releases of PyTorch has a method of its own for the next batch: it is looked at, whole."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
x = torch.randn(64, 4)
y = (x.sum(1) > 0).long()
loader_data = TensorDataset(x, y)
if 4 % hvd.size() != 0:
    raise SystemExit(f"batch size 4 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=4 // hvd.size(), sampler=loader_sampler)
names = ["below", "above"]
samples = iter(DataLoader(loader.dataset, batch_size=4, shuffle=True))
features, labels = samples.next()
if hvd.rank() == 0:
    print(" ".join(names[labels[i]] for i in range(4)))
first, _ = iter(DataLoader(loader.dataset, batch_size=4, shuffle=True)).__next__()
if hvd.rank() == 0:
    print(first.shape)
model = nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
criterion = nn.CrossEntropyLoss()
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for xb, yb in loader:
        optimizer.zero_grad()
        loss = criterion(model(xb), yb)
        loss.backward()
        optimizer.step()
hvd.shutdown()
