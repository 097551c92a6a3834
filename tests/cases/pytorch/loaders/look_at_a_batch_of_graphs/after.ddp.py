"""What is looked at is a whole batch of graphs, which the loader's own function puts together."""
import torch
import torch.nn.functional as F
from torch_geometric.datasets import TUDataset
from torch_geometric.loader import DataLoader
from torch_geometric.nn import GCNConv, global_mean_pool
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader as DataLoader_
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
if dist.get_rank() == 0:
    TUDataset("data", name="MUTAG")
dist.barrier()
train_data = TUDataset("data", name="MUTAG")
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
train_sampler = DistributedSampler(train_data)
train_loader = DataLoader(train_data, batch_size=32 // dist.get_world_size(), sampler=train_sampler)
next_result = next(
    iter(DataLoader_(train_loader.dataset, batch_size=32, shuffle=True, collate_fn=train_loader.collate_fn))
)
if dist.get_rank() == 0:
    print(next_result)


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = GCNConv(7, 16)
        self.out = torch.nn.Linear(16, 2)

    def forward(self, data):
        x = self.conv(data.x, data.edge_index).relu()
        return self.out(global_mean_pool(x, data.batch))


model = Net()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(5):
    train_loader.sampler.set_epoch(epoch)
    for data in train_loader:
        optimizer.zero_grad()
        F.cross_entropy(ddp_model(data), data.y).backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
