"""Accuracies as hits times a hundred over the number of samples, kept by meters of the script's own."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
data = TensorDataset(torch.randn(64, 4), torch.randint(0, 3, (64,)))
if 8 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {dist.get_world_size()} processes")
loader = DataLoader(data, batch_size=8 // dist.get_world_size(), sampler=DistributedSampler(data))
held_out = DataLoader(TensorDataset(torch.randn(30, 4), torch.randint(0, 3, (30,))), batch_size=8)
model = nn.Linear(4, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


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
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        output = ddp_model(x)
        loss = F.cross_entropy(output, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        one, two = accuracies(output.detach(), y, topk=(1, 2))
        first.update(one.item(), x.size(0))
        best.update(two.item(), x.size(0))
    totals = torch.tensor([first.avg, best.avg], dtype=torch.float64)
    dist.all_reduce(totals)
    mean_first, mean_best = totals[0].item() / dist.get_world_size(), totals[1].item() / dist.get_world_size()
    if dist.get_rank() == 0:
        print(epoch, mean_first, mean_best)
del ddp_model
dist.destroy_process_group()
