"""A network is taken apart, and one of its layers is left out: the wrapper has to look for what is not used.

So is another one that stays whole, of which the layers of a third are used instead.
"""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)


class Backbone(nn.Module):
    def __init__(self):
        super().__init__()
        self.convolution = nn.Conv2d(3, 8, 3)
        self.last = nn.Linear(8, 10)

    def forward(self, images):
        return self.last(self.convolution(images).mean(dim=(2, 3)))


backbone = Backbone()


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = Backbone()
        self.first = nn.Sequential(*list(backbone.children())[:1])
        self.middle = nn.Sequential(nn.Linear(8, 8), nn.Linear(8, 4))
        self.next = self.middle[0]
        self.last = nn.Linear(8, 2)
        for module in self.modules():
            if isinstance(module, nn.Linear):
                nn.init.normal_(module.weight, std=0.02)

    def forward(self, images):
        return self.last(self.next(self.first(images).mean(dim=(2, 3))))


data = TensorDataset(torch.randn(16, 3, 8, 8), torch.randint(0, 2, (16,)))
if 4 % hvd.size() != 0:
    raise SystemExit(f"batch size 4 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(data, batch_size=4 // hvd.size(), sampler=loader_sampler)
model = Net()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for images, labels in loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(images), labels)
        loss.backward()
        hvd.grouped_allreduce_(
            [p.grad for group in optimizer.param_groups for p in group["params"] if p.grad is not None]
        )
        optimizer.step()
hvd.shutdown()
