"""A flat view of one column has one row for each node, that of the seed nodes first."""

import torch
from torch import nn
from torch_geometric.data import Data
from torch_geometric.loader import NeighborLoader
from torch_geometric.nn import SAGEConv
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
x = torch.randn(120, 6)
data = Data(x=x, edge_index=torch.randint(0, 120, (2, 600)), y=x.sum(1))
loader_seeds = torch.arange(data.num_nodes)[torch.arange(96)]
if 24 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 24 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_seeds)
loader = NeighborLoader(
    data,
    num_neighbors=[5],
    batch_size=24 // dist.get_world_size(),
    input_nodes=torch.arange(96),
    sampler=loader_sampler,
)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = SAGEConv(6, 16)
        self.out = nn.Linear(16, 1)

    def forward(self, x, edge_index):
        return self.out(torch.relu(self.conv(x, edge_index)))


model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for batch in loader:
        optimizer.zero_grad()
        out = ddp_model(batch.x, batch.edge_index)
        loss = (out.view(-1)[: batch.batch_size] - batch.y[: batch.batch_size]).pow(2).mean()
        loss.backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
