"""Layers that are set and looked up by names made of a text and a number are followed as if they were written out."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
data = TensorDataset(torch.randn(320, 6), torch.randint(0, 3, (320,)))
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(data, batch_size=32 // hvd.size(), sampler=loader_sampler)


class Network(nn.Module):
    def __init__(self):
        super().__init__()
        for number, width in enumerate((6, 16)):
            setattr(self, f"linear{number}", nn.Linear(width, 16))
        self.add_module("last", nn.Linear(16, 3))
        self.norm1 = nn.LayerNorm(16)
        self.names = ["norm1", "last"]

    def forward(self, inputs):
        for number in range(2):
            inputs = getattr(self, f"linear{number}")(inputs).relu()
        for name in self.names:
            layer = getattr(self, name)
            inputs = layer(inputs)
        return inputs

model = Network()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())

hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    total = 0.0
    loader.sampler.set_epoch(epoch)
    for inputs, labels in loader:
        output = model(inputs)
        loss = F.cross_entropy(output, labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    total_ = hvd.allreduce(torch.tensor(total, dtype=torch.float64), op=hvd.Sum)
    total = total_.item() / hvd.size()
    if hvd.rank() == 0:
        print(epoch, total / len(loader))
hvd.shutdown()
