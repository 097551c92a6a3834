"""Losses of rows are rows: where samples of several rows are joined, each process's mean is over another number."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


def collate(batch):
    xs, ys = zip(*batch)
    return torch.cat(xs), torch.cat(ys)


hvd.init()
torch.manual_seed(0)
items = [(torch.randn(n % 3 + 1, 6), torch.randint(0, 3, (n % 3 + 1,))) for n in range(48)]
if 12 % hvd.size() != 0:
    raise SystemExit(f"batch size 12 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(items, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(items, batch_size=12 // hvd.size(), sampler=loader_sampler, collate_fn=collate)
model = nn.Linear(6, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())


def mean_of_all_rows(values):
    count = hvd.allreduce(torch.tensor(values.numel(), device=values.device), op=hvd.Sum)
    return values.sum() * hvd.size() / count


hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        ce = F.cross_entropy(model(x), y, reduction="none")
        loss = (mean_of_all_rows((1 - torch.exp(-ce)) ** 2 * ce))
        loss.backward()
        optimizer.step()
hvd.shutdown()
