"""Layers without weights in a plain list: nothing is drawn for them, and nothing has to be equal."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
import warnings
from torch.utils.data.distributed import DistributedSampler


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(8, 16)
        self.hidden = [nn.ReLU(), nn.Sequential(nn.Tanh(), nn.Dropout(0.0))]
        self.last = nn.Linear(16, 1)

    def forward(self, x):
        h = torch.tanh(self.first(x))
        for layer in self.hidden:
            h = layer(h)
        return self.last(h)


hvd.init()
x = torch.linspace(-1, 1, 64 * 8).view(64, 8).sin()
loader_data = TensorDataset(x, x.sum(1, keepdim=True))
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=16 // hvd.size(), sampler=loader_sampler)
net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=net.named_parameters())
hvd.broadcast_parameters(net.state_dict(), root_rank=0)
warnings.filterwarnings("error", r"Using a target size \S+\[(\d+)(, 1)?]\)\).+\[\1(, 1)?]\)\)")
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for inputs, targets in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(net(inputs), targets).backward()
        optimizer.step()
hvd.shutdown()
