"""A backbone of torchvision is called whole, and only asked how wide its last layer is: nothing is left out."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from torchvision import models
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


class Finder(nn.Module):
    def __init__(self):
        super().__init__()
        self.base = models.alexnet(weights=None)
        self.head = nn.Linear(self.base.classifier[6].out_features, 3)

    def forward(self, x):
        return self.head(self.base(x))


hvd.init()
torch.manual_seed(0)
data = TensorDataset(torch.randn(32, 3, 64, 64), torch.randint(0, 3, (32,)))
if 8 % hvd.size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(data, batch_size=8 // hvd.size(), sampler=loader_sampler)
model = Finder()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
if hvd.rank() == 0:
    torch.save(model.state_dict(), "model.pt")
hvd.shutdown()
