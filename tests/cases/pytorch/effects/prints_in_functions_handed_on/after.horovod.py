"""Functions that a library or Python itself calls print once a process; where that cannot be followed it is said."""
import atexit

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


class Section:
    def __enter__(self):
        return self

    def __exit__(self, *problem):
        print("section done")


def initialise(layer):
    if isinstance(layer, nn.Linear):
        nn.init.zeros_(layer.bias)
        if hvd.rank() == 0:
            print("initialised", layer)


@atexit.register
def goodbye():
    print("goodbye")


def never_called():
    print("never")


hvd.init()
torch.manual_seed(0)
loader_data = TensorDataset(torch.randn(320, 10), torch.randn(320, 1))
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=32 // hvd.size(), sampler=loader_sampler)
with Section():
    model = nn.Linear(10, 1)
    model.apply(initialise)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
hvd.shutdown()
