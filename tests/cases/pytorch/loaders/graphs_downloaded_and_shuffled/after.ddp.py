"""A data set of graphs is downloaded and prepared by one process, and all divide it alike."""
import torch
import torch.nn.functional as F
from torch_geometric.datasets import TUDataset
from torch_geometric.loader import DataLoader
from torch_geometric.nn import GINConv, global_add_pool
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
seed = torch.tensor(torch.initial_seed() % 2**63)
dist.broadcast(seed, src=0)
seed = seed.item()
torch.manual_seed(seed)
if dist.get_rank() == 0:
    TUDataset("data", name="MUTAG")
dist.barrier()
dataset = TUDataset("data", name="MUTAG").shuffle()
test_dataset = dataset[:len(dataset) // 10]
train_dataset = dataset[len(dataset) // 10:]
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
train_sampler = DistributedSampler(train_dataset)
train_loader = DataLoader(train_dataset, batch_size=32 // dist.get_world_size(), sampler=train_sampler)
test_loader = DataLoader(test_dataset, batch_size=32)


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = GINConv(torch.nn.Sequential(torch.nn.Linear(7, 32), torch.nn.ReLU(), torch.nn.Linear(32, 32)))
        self.out = torch.nn.Linear(32, 2)

    def forward(self, data):
        return self.out(global_add_pool(self.conv(data.x, data.edge_index), data.batch))


model = Net()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(seed + dist.get_rank())
for epoch in range(5):
    train_loader.sampler.set_epoch(epoch)
    for data in train_loader:
        data.x = data.x.float()
        optimizer.zero_grad()
        F.cross_entropy(ddp_model(data), data.y).backward()
        optimizer.step()
    with torch.no_grad():
        right = sum(int((model(data).argmax(dim=1) == data.y).sum()) for data in test_loader)
    if dist.get_rank() == 0:
        print(f"epoch {epoch}: {right / len(test_dataset):.3f}")
del ddp_model
dist.destroy_process_group()
