"""An object of the script's own hands batches on without end, in a while loop."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data import RandomSampler
from torch.utils.data import Sampler


class SharedSampler(Sampler):
    def __init__(self, sampler):
        self.sampler = sampler

    def __iter__(self):
        indices = hvd.broadcast_object(list(self.sampler))
        end = hvd.rank() + len(indices)
        return (indices[i % len(indices)] for i in range(hvd.rank(), end, hvd.size()))

    def __len__(self):
        return (len(self.sampler) + hvd.size() - 1) // hvd.size()


class Batches:
    def __init__(self, dataset, **kwargs):
        if kwargs["batch_size"] % hvd.size() != 0:
            raise SystemExit(f'batch size {kwargs["batch_size"]} cannot be shared out over {hvd.size()} processes')
        self.loader = DataLoader(
            dataset,
            sampler=SharedSampler(RandomSampler(dataset)),
            **dict(kwargs, batch_size=kwargs["batch_size"] // hvd.size(), shuffle=False),
        )
        self.batches = iter(self.loader)

    def next(self):
        try:
            batch = next(self.batches)
        except StopIteration:
            self.batches = iter(self.loader)
            batch = next(self.batches)
        return batch


hvd.init()
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
torch.manual_seed(seed)
x = torch.randn(96, 5)
y = x.sum(1, keepdim=True)
batches = Batches(TensorDataset(x, y), batch_size=16, shuffle=True)
model = nn.Linear(5, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
step, best = 0, None
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(seed + hvd.rank())
while True:
    inputs, targets = batches.next()
    loss = nn.functional.mse_loss(model(inputs), targets)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    step += 1
    if step >= 100:
        break
if hvd.rank() == 0:
    torch.save(model.state_dict(), "model.pt")
hvd.shutdown()
