"""Weights of classes come from all labels, and another number from a pass that is reduced."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
import torch.nn.functional as F
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
x, y = torch.randn(48, 5), torch.randint(3, (48,))
data = TensorDataset(x, y)
if 12 % hvd.size() != 0:
    raise SystemExit(f"batch size 12 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(data, batch_size=12 // hvd.size(), sampler=loader_sampler)
counts = torch.bincount(y, minlength=3)
smooth = torch.bincount(torch.tensor([label for _, label in data])).max() / len(data)
total = 0.0
for points, _ in loader:
    total += points.pow(2).sum().item()
total_ = hvd.allreduce(torch.tensor(total, dtype=torch.float64), op=hvd.Sum)
total = total_.item()
net = nn.Sequential(nn.Dropout(min(0.5, total / 1e4)), nn.Linear(5, 3))
criterion = nn.CrossEntropyLoss(weight=counts.sum() / counts, label_smoothing=0.1 * float(smooth))
optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=net.named_parameters())
hvd.broadcast_parameters(net.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for points, classes in loader:
        optimizer.zero_grad()
        weights = hvd.allreduce(criterion.weight[classes].sum(), op=hvd.Sum)
        weights = weights / hvd.size()
        loss = F.cross_entropy(
            net(points), classes, label_smoothing=criterion.label_smoothing, weight=criterion.weight, reduction="sum"
        ) / weights
        loss.backward()
        optimizer.step()
hvd.shutdown()
