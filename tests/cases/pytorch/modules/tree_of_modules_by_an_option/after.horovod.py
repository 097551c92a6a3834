"""Modules make others of their class, some with a width that the outermost is not given: those compare samples."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


class Tree(nn.Module):
    def __init__(self, levels, width=None):
        super().__init__()
        self.layer = nn.Linear(4, 4)
        self.norm = None
        if width is not None:
            self.norm = nn.BatchNorm1d(width)
        if levels > 0:
            self.inner = Tree(levels - 1, width=4)
        else:
            self.inner = nn.Identity()

    def forward(self, x):
        x = self.layer(x)
        if self.norm is not None:
            x = self.norm(x)
        return self.inner(x)


hvd.init()
torch.manual_seed(3)
loader_data = TensorDataset(torch.randn(64, 4), torch.randn(64, 4))
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
if hvd.size() > 1 and (len(loader_data) - 1) % 16 < hvd.size():
    raise SystemExit("the last batch leaves each process one sample, and BatchNorm1d needs two: use drop_last=True")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=16 // hvd.size(), sampler=loader_sampler)
model = Tree(2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
criterion = nn.MSELoss()
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(3 + hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        loss = criterion(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
hvd.shutdown()
