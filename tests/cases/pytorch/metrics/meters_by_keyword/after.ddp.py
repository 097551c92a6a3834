"""A logger takes metrics by keywords and keeps meters by name: what one of them averages is reduced."""
from collections import defaultdict
import torch
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
x = torch.randn(320, 6)
y = (x[:, 0] > 0).long()
loader_data = TensorDataset(x, y)
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=32 // dist.get_world_size(), sampler=loader_sampler)
model = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss()

class Meter:
    def __init__(self):
        self.total, self.count = 0.0, 0

    def update(self, value, n=1):
        self.total += value * n
        self.count += n

    @property
    def average(self):
        return self.total / self.count


class Logger:
    def __init__(self):
        self.meters = defaultdict(Meter)

    def update(self, **metrics):
        for name, value in metrics.items():
            self.meters[name].update(value)

    def __getattr__(self, name):
        if name in self.meters:
            return self.meters[name]
        raise AttributeError(name)


ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    logger = Logger()
    loader.sampler.set_epoch(epoch)
    for xb, yb in loader:
        output = ddp_model(xb)
        loss = criterion(output, yb)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        logger.update(loss=loss.item(), accuracy=(output.argmax(1) == yb).float().mean().item())
    totals = torch.tensor([logger.loss.average, logger.meters["accuracy"].average], dtype=torch.float64)
    dist.all_reduce(totals)
    mean_average, mean_average_ = totals[0].item() / dist.get_world_size(), totals[1].item() / dist.get_world_size()
    if dist.get_rank() == 0:
        print(epoch, mean_average, mean_average_)
del ddp_model
dist.destroy_process_group()
