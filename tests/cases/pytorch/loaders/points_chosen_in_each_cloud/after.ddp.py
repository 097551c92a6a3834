"""Points are chosen, and neighbours searched for, within each cloud: the numbers of the clouds are given."""
import torch
import torch.nn.functional as F
import torch_geometric.transforms as T
from torch_geometric.datasets import ModelNet
from torch_geometric.loader import DataLoader
from torch_geometric.nn import MLP, PointNetConv, fps, global_max_pool, knn_graph, radius
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
if dist.get_rank() == 0:
    ModelNet("data", "10", True, T.SamplePoints(1024), T.NormalizeScale())
dist.barrier()
data = ModelNet("data", "10", True, T.SamplePoints(1024), T.NormalizeScale())
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
train_sampler = DistributedSampler(data)
train_loader = DataLoader(data, batch_size=32 // dist.get_world_size(), sampler=train_sampler, num_workers=4)


class Abstraction(torch.nn.Module):
    def __init__(self, ratio, r, layers):
        super().__init__()
        self.ratio = ratio
        self.r = r
        self.conv = PointNetConv(layers, add_self_loops=False)

    def forward(self, x, pos, batch):
        index = fps(pos, batch, ratio=self.ratio)
        row, col = radius(pos, pos[index], self.r, batch, batch[index], max_num_neighbors=64)
        edges = torch.stack([col, row], dim=0)
        chosen = None if x is None else x[index]
        return self.conv((x, chosen), (pos, pos[index]), edges), pos[index], batch[index]


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first = Abstraction(0.5, 0.2, MLP([3, 64, 128]))
        self.second = Abstraction(0.25, 0.4, MLP([128 + 3, 128, 256]))
        self.edges = PointNetConv(MLP([256 + 3, 256]))
        self.head = MLP([256, 128, 10], dropout=0.5, norm=None)

    def forward(self, data):
        parts = self.second(*self.first(data.x, data.pos, data.batch))
        x, pos, batch = parts
        x = self.edges(x, pos, knn_graph(pos, 8, batch))
        return self.head(global_max_pool(x, batch)).log_softmax(dim=-1)


model = Net()
optimizer = torch.optim.Adam(model.parameters(), lr=0.001)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(200):
    train_loader.sampler.set_epoch(epoch)
    for data in train_loader:
        optimizer.zero_grad()
        F.nll_loss(ddp_model(data), data.y).backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
