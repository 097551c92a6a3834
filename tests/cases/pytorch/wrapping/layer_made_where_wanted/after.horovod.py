"""Blocks in a sequence have a layer only where an option wants it, and use it then: each step uses all there is."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


class Block(nn.Module):
    def __init__(self, width, scaled, shift=None):
        super().__init__()
        self.scaled = scaled
        self.layer = nn.Linear(width, width)
        if self.scaled:
            self.scale = nn.Linear(width, width)
        self.shift = shift

    def forward(self, x):
        x = torch.relu(self.layer(x))
        if self.shift is not None:
            x = self.shift(x)
        return self.scale(x) if self.scaled else x


hvd.init()
torch.manual_seed(0)
loader_data = TensorDataset(torch.randn(64, 8), torch.randint(0, 3, (64,)))
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=16 // hvd.size(), sampler=loader_sampler)
blocks = [Block(8, number > 0, nn.Linear(8, 8) if number else None) for number in range(2)]
model = nn.Sequential(*blocks, nn.Linear(8, 3))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
hvd.shutdown()
