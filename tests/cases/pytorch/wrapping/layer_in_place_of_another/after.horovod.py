"""A layer takes the place of one of a library's model, whose parts are looked at one by one: that depends on no data."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from torchvision.models.resnet import resnet18
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


class Encoder(nn.Module):
    def __init__(self, width):
        super().__init__()
        kept = []
        for name, part in resnet18().named_children():
            if name == "conv1":
                part = nn.Conv2d(3, 64, kernel_size=3, padding=1, bias=False)
            if not isinstance(part, nn.Linear):
                kept.append(part)
        self.trunk = nn.Sequential(*kept)
        self.head = nn.Linear(512, width)

    def forward(self, pictures):
        return self.head(torch.flatten(self.trunk(pictures), start_dim=1))


hvd.init()
torch.manual_seed(0)
net = Encoder(4)
optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=net.named_parameters())
loader_data = TensorDataset(torch.randn(48, 3, 8, 8), torch.randint(4, (48,)))
if 12 % hvd.size() != 0:
    raise SystemExit(f"batch size 12 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=12 // hvd.size(), sampler=loader_sampler)
hvd.broadcast_parameters(net.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    net.train()
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(net(x), y).backward()
        optimizer.step()
hvd.shutdown()
