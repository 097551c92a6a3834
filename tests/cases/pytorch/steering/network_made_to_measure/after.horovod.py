"""Each epoch is measured by a network that is made and put together there; no optimizer has it."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


class Measure(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList()
        self.blocks.append(nn.Flatten())
        self.blocks.append(nn.AvgPool1d(2))

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return x.mean()


hvd.init()
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
torch.manual_seed(seed)
data = torch.randn(96, 6)
loader_data = TensorDataset(data)
if 12 % hvd.size() != 0:
    raise SystemExit(f"batch size 12 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=12 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(6, 6)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(seed + hvd.rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for (x,) in loader:
        optimizer.zero_grad()
        (model(x) - x).pow(2).mean().backward()
        optimizer.step()
    with torch.no_grad():
        result = Measure()(model(data))
        if hvd.rank() == 0:
            print(epoch, result.item())
hvd.shutdown()
