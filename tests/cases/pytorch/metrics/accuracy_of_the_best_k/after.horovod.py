"""Accuracies as hits times a hundred over the number of samples, kept by meters of the script's own."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
data = TensorDataset(torch.randn(64, 4), torch.randint(0, 3, (64,)))
if 8 % hvd.size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(data, batch_size=8 // hvd.size(), sampler=loader_sampler)
held_out = DataLoader(TensorDataset(torch.randn(30, 4), torch.randint(0, 3, (30,))), batch_size=8)
model = nn.Linear(4, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())


class Meter:
    def __init__(self):
        self.sum, self.count, self.avg = 0.0, 0, 0.0

    def update(self, value, n=1):
        self.sum += value * n
        self.count += n
        self.avg = self.sum / self.count


def accuracies(output, target, topk=(1,)):
    predicted = output.topk(max(topk), 1, True, True)[1].t()
    correct = predicted.eq(target.view(1, -1).expand_as(predicted))
    return [correct[:k].reshape(-1).float().sum(0).mul_(100.0 / target.size(0)) for k in topk]


best = Meter()
first = Meter()
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        output = model(x)
        loss = F.cross_entropy(output, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        one, two = accuracies(output.detach(), y, topk=(1, 2))
        first.update(one.item(), x.size(0))
        best.update(two.item(), x.size(0))
    totals = hvd.allreduce(torch.tensor([first.avg, best.avg], dtype=torch.float64), op=hvd.Sum)
    mean_first, mean_best = totals[0].item() / hvd.size(), totals[1].item() / hvd.size()
    if hvd.rank() == 0:
        print(epoch, mean_first, mean_best)
hvd.shutdown()
