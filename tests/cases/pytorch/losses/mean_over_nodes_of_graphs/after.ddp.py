"""Each node has a label: processes have unequal numbers of nodes, and the mean over all is not the mean of theirs."""
import torch
import torch.nn.functional as F
from torch_geometric.datasets import PPI
from torch_geometric.loader import DataLoader
from torch_geometric.nn import GATConv
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
    PPI("data/PPI", split="train")
dist.barrier()
train_data = PPI("data/PPI", split="train")
if 2 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 2 cannot be shared out over {dist.get_world_size()} processes")
train_sampler = DistributedSampler(train_data)
train_loader = DataLoader(train_data, batch_size=2 // dist.get_world_size(), sampler=train_sampler)


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = GATConv(50, 64, heads=4)
        self.conv2 = GATConv(256, 121, heads=6, concat=False)

    def forward(self, x, edge_index):
        return self.conv2(F.elu(self.conv1(x, edge_index)), edge_index)


model = Net()
optimizer = torch.optim.Adam(model.parameters(), lr=0.005)


def mean_of_all_rows(values):
    count = torch.tensor(values.numel(), device=values.device)
    dist.all_reduce(count)
    return values.sum() * dist.get_world_size() / count


ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(5):
    train_loader.sampler.set_epoch(epoch)
    for data in train_loader:
        optimizer.zero_grad()
        loss = mean_of_all_rows(
            F.binary_cross_entropy_with_logits(ddp_model(data.x, data.edge_index), data.y, reduction="none")
        )
        loss.backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
