"""Some parts of a backbone of torchvision are called, its last layer is not: no gradient for it."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from torchvision import models
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


class Finder(nn.Module):
    def __init__(self):
        super().__init__()
        self.base = models.vgg11(weights=None)
        self.head = nn.Linear(512, 3)

    def forward(self, x):
        x = self.base.features(x)
        return self.head(x.mean(dim=(2, 3)))


hvd.init()
torch.manual_seed(0)
data = TensorDataset(torch.randn(32, 3, 32, 32), torch.randint(0, 3, (32,)))
if 8 % hvd.size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(data, batch_size=8 // hvd.size(), sampler=loader_sampler)
model = Finder()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        hvd.grouped_allreduce_(
            [p.grad for group in optimizer.param_groups for p in group["params"] if p.grad is not None]
        )
        optimizer.step()
if hvd.rank() == 0:
    torch.save(model.state_dict(), "model.pt")
hvd.shutdown()
