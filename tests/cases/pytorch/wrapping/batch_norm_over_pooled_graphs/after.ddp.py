"""Batch normalisation behind the pooling of graphs has one value for each graph: a last batch of one is too small."""

import torch
import torch.nn.functional as F
from torch.nn import BatchNorm1d, Linear
from torch_geometric.datasets import TUDataset
from torch_geometric.loader import DataLoader
from torch_geometric.nn import GCNConv, global_add_pool
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = GCNConv(7, 16)
        self.norm = BatchNorm1d(16)
        self.head = Linear(16, 2)

    def forward(self, x, edge_index, batch):
        x = F.relu(self.conv(x, edge_index))
        x = global_add_pool(x, batch)
        return self.head(self.norm(x))


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
if dist.get_rank() == 0:
    TUDataset("data", name="MUTAG")
dist.barrier()
dataset = TUDataset("data", name="MUTAG")
if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
if dist.get_world_size() > 1 and (len(dataset[:97]) - 1) % 16 < dist.get_world_size():
    raise SystemExit("the last batch leaves each process one sample, and BatchNorm1d needs two: use drop_last=True")
loader_sampler = DistributedSampler(dataset[:97])
loader = DataLoader(dataset[:97], batch_size=16 // dist.get_world_size(), sampler=loader_sampler)
model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for data in loader:
        optimizer.zero_grad()
        F.cross_entropy(ddp_model(data.x, data.edge_index, data.batch), data.y).backward()
        optimizer.step()
if dist.get_rank() == 0:
    torch.save(model.state_dict(), "model.pt")
del ddp_model
dist.destroy_process_group()
