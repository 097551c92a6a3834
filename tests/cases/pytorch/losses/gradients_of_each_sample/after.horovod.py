"""Gradients of summed scores with respect to the samples: no wrapper sees them, so all gradients are averaged by hand."""
import torch
import torch.nn as nn
from sklearn.datasets import load_digits
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(3)
digits = load_digits()
images = torch.tensor(digits.data[:640] / 8 - 1, dtype=torch.float32)
loader_data = TensorDataset(images, torch.tensor(digits.target[:640]))
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=32 // hvd.size(), sampler=loader_sampler)
model = nn.Sequential(nn.Linear(64, 48), nn.Tanh(), nn.Linear(48, 10))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)

hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(3 + hvd.rank())
for epoch in range(2):
    total = 0.0
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        x.requires_grad_(True)
        scores = model(x)
        (slope,) = torch.autograd.grad(scores.sum(), x, create_graph=True)
        loss = criterion(scores, y) + 0.1 * slope.pow(2).sum(1).mean()
        optimizer.zero_grad()
        loss.backward()
        hvd.grouped_allreduce_(
            [p.grad for group in optimizer.param_groups for p in group["params"] if p.grad is not None]
        )
        optimizer.step()
        total += loss.item() * len(x)
    total_ = hvd.allreduce(torch.tensor(total, dtype=torch.float64), op=hvd.Sum)
    total = total_.item()
    if hvd.rank() == 0:
        print(epoch, total / loader.sampler.total_size)
hvd.shutdown()
