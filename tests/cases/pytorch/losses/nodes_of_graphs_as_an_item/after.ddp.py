"""An item of a batch of graphs is the attribute of that name: a row for each node, not for each graph."""
import torch
from torch_geometric.datasets import TUDataset
from torch_geometric.loader import DataLoader
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
    TUDataset("data", name="PROTEINS")
dist.barrier()
train_data = TUDataset("data", name="PROTEINS")
if 60 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 60 cannot be shared out over {dist.get_world_size()} processes")
train_sampler = DistributedSampler(train_data)
train_loader = DataLoader(train_data, batch_size=60 // dist.get_world_size(), sampler=train_sampler)
model = torch.nn.Linear(3, 3)
optimizer = torch.optim.Adam(model.parameters(), lr=0.001)


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
        loss = mean_of_all_rows(ddp_model(data["x"]).square())
        loss.backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
