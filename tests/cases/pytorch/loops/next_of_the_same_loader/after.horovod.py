"""A second batch of the loader that the loop goes over is drawn anew for each step."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data import RandomSampler
from torch.utils.data import Sampler

hvd.init()
torch.manual_seed(0)
inputs = torch.randn(96, 5)
targets = inputs.sum(1, keepdim=True)
data = TensorDataset(inputs, targets)


class SharedSampler(Sampler):
    def __init__(self, sampler):
        self.sampler = sampler

    def __iter__(self):
        indices = hvd.broadcast_object(list(self.sampler))
        end = hvd.rank() + len(indices)
        return (indices[i % len(indices)] for i in range(hvd.rank(), end, hvd.size()))

    def __len__(self):
        return (len(self.sampler) + hvd.size() - 1) // hvd.size()


if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
loader = DataLoader(data, batch_size=16 // hvd.size(), sampler=SharedSampler(RandomSampler(data)))
model = nn.Linear(5, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(3):
    for x, y in loader:
        x2, y2 = next(iter(loader))
        loss = nn.functional.mse_loss(model(x), y) + nn.functional.mse_loss(model(x2), y2)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
hvd.shutdown()
