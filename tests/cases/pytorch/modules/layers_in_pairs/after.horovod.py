"""Layers are given to a dict of modules as pairs of a name and a layer."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
import warnings
from torch.utils.data.distributed import DistributedSampler


class Net(nn.Module):
    def __init__(self, activation="relu"):
        super().__init__()
        self.activation = activation
        self.first = nn.Linear(4, 8)
        self.last = nn.Linear(8, 1)
        self.activations = nn.ModuleDict([["relu", nn.ReLU()], ("tanh", nn.Tanh())])

    def forward(self, x):
        return self.last(self.activations[self.activation](self.first(x)))


hvd.init()
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
torch.manual_seed(seed)
loader_data = TensorDataset(torch.randn(64, 4), torch.randn(64, 1))
if 8 % hvd.size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=8 // hvd.size(), sampler=loader_sampler)
model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
criterion = nn.MSELoss()
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
warnings.filterwarnings("error", r"Using a target size \S+\[(\d+)(, 1)?]\)\).+\[\1(, 1)?]\)\)")
if hvd.rank() > 0:
    torch.manual_seed(seed + hvd.rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        optimizer.step()
hvd.shutdown()
