"""A layer that is there only where widths differ, written with `and` and `or`, as wide residual networks are."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


class Block(nn.Module):
    def __init__(self, features, outputs):
        super().__init__()
        self.equal = features == outputs
        self.first = nn.Linear(features, outputs)
        self.shortcut = (not self.equal) and nn.Linear(features, outputs) or None

    def forward(self, x):
        out = self.first(x)
        return torch.add(x if self.equal else self.shortcut(x), out)


hvd.init()
torch.manual_seed(1)
loader_data = TensorDataset(torch.randn(64, 6), torch.randint(0, 2, (64,)))
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=32 // hvd.size(), sampler=loader_sampler)
net = nn.Sequential(Block(6, 8), nn.ReLU(), Block(8, 8), nn.Linear(8, 2))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=net.named_parameters())
criterion = nn.CrossEntropyLoss()
hvd.broadcast_parameters(net.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(1 + hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        loss = criterion(net(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
hvd.shutdown()
