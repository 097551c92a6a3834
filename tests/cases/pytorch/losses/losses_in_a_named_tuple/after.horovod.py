"""Features and losses in named tuples."""
from collections import namedtuple
from typing import NamedTuple
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
import warnings
from torch.utils.data.distributed import DistributedSampler
hvd.init()
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
torch.manual_seed(seed)
Outputs = namedtuple("Outputs", ["low", "high"])

class Losses(NamedTuple):
    fit: torch.Tensor
    weight: torch.Tensor

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 8), nn.ReLU()])

    def forward(self, x):
        results = []
        for i, layer in enumerate(self.layers):
            x = layer(x)
            if i in (1, 3):
                results.append(x)
        return Outputs(*results)

loader_data = TensorDataset(torch.randn(64, 8), torch.randn(64, 8))
if 8 % hvd.size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=8 // hvd.size(), sampler=loader_sampler)
model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
warnings.filterwarnings("error", r"Using a target size \S+\[(\d+)(, 1)?]\)\).+\[\1(, 1)?]\)\)")
if hvd.rank() > 0:
    torch.manual_seed(seed + hvd.rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        out = model(x)
        losses = Losses(F.mse_loss(out.high, y), weight=out.low.pow(2).mean())
        loss = losses.fit + 0.1 * losses.weight
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    total = hvd.allreduce(torch.tensor(losses.fit.item(), dtype=torch.float64), op=hvd.Sum)
    mean_fit = total.item() / hvd.size()
    if hvd.rank() == 0:
        print(epoch, mean_fit)
hvd.shutdown()
