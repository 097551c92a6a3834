"""A term of a summed loss is halved by a lambda, another one by a function that calls nothing: both are of a step."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


def halved(total):
    return total / 2


class Loss(nn.Module):
    def __init__(self):
        super().__init__()
        self.spread = lambda mean, spread: torch.sum(mean**2 + spread.exp() - spread - 1) / 2

    def forward(self, output, x, mean, spread):
        return halved(((output - x) ** 2).sum()) + self.spread(mean, spread)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Linear(4, 4)
        self.decoder = nn.Linear(2, 4)

    def forward(self, x):
        mean, spread = self.encoder(x).chunk(2, dim=1)
        return self.decoder(mean + torch.randn_like(mean) * (spread / 2).exp()), mean, spread


hvd.init()
torch.manual_seed(0)
loader_data = TensorDataset(torch.randn(320, 4))
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=32 // hvd.size(), sampler=loader_sampler)
model = Model()
criterion = Loss()
optimizer = torch.optim.Adam(model.parameters())
optimizer = hvd.DistributedOptimizer(optimizer, op=hvd.Sum)
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
hvd.broadcast_parameters(criterion.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for (x,) in loader:
        output, mean, spread = model(x)
        loss = criterion(output, x, mean, spread)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
hvd.shutdown()
