"""Batch normalisation within and behind layers of graphs has a value for each node: one graph is enough."""

import torch
import torch.nn.functional as F
from torch.nn import BatchNorm1d, Linear, ReLU, Sequential
from torch_geometric.datasets import TUDataset
from torch_geometric.loader import DataLoader
from torch_geometric.nn import GCNConv, GINConv, global_add_pool
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = GINConv(nn=Sequential(Linear(7, 16), BatchNorm1d(16), ReLU(), Linear(16, 16)))
        self.conv2 = GCNConv(16, 16)
        self.norm = BatchNorm1d(16)
        self.head = Linear(16, 2)

    def forward(self, x, edge_index, batch):
        x = self.conv1(x, edge_index)
        x = self.norm(F.relu(self.conv2(x, edge_index)))
        return self.head(global_add_pool(x, batch))


hvd.init()
torch.manual_seed(0)
if hvd.rank() == 0:
    TUDataset("data", name="MUTAG")
hvd.barrier()
dataset = TUDataset("data", name="MUTAG")
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(dataset[:97], num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(dataset[:97], batch_size=16 // hvd.size(), sampler=loader_sampler)
model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for data in loader:
        optimizer.zero_grad()
        F.cross_entropy(model(data.x, data.edge_index, data.batch), data.y).backward()
        optimizer.step()
if hvd.rank() == 0:
    torch.save(model.state_dict(), "model.pt")
hvd.shutdown()
