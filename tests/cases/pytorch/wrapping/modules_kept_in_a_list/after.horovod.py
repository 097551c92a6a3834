"""A module that a model keeps in a plain list, and one that it calls by a global name, are no parts of it: DDP sees neither."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


class Net(nn.Module):
    def __init__(self, encoder):
        super().__init__()
        self.encoders = [encoder]
        self.head = nn.Linear(8, 2)

    def forward(self, x):
        return self.head(torch.relu(middle(torch.relu(self.encoders[0](x)))))


hvd.init()
torch.manual_seed(0)
loader_data = TensorDataset(torch.randn(320, 10), torch.randint(0, 2, (320,)))
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank(), shuffle=False)
loader = DataLoader(loader_data, batch_size=32 // hvd.size(), sampler=loader_sampler)
encoder = nn.Linear(10, 8)
middle = nn.Linear(8, 8)
model = Net(encoder)
parameters = list(model.parameters()) + list(encoder.parameters()) + list(middle.parameters())
optimizer = torch.optim.SGD(parameters, lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer)
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
for parameter in [*encoder.parameters(), *middle.parameters()]:
    hvd.broadcast_(parameter.data, root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
if hvd.rank() == 0:
    print(sum(p.abs().sum().item() for p in parameters))
hvd.shutdown()
