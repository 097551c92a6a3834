"""A sum of losses is divided by a number of the command line: it is an average, which is reduced."""
import argparse
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending
if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
parser = argparse.ArgumentParser()
parser.add_argument("--log-interval", type=int, default=4)
args = parser.parse_args()
torch.manual_seed(0)
x = torch.randn(64, 4)
y = (x.sum(1) > 0).long()
loader_data = TensorDataset(x, y)
if 4 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 4 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=4 // dist.get_world_size(), sampler=loader_sampler)
model = nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss()
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    total_loss = 0
    loader.sampler.set_epoch(epoch)
    for i, (xb, yb) in enumerate(loader):
        optimizer.zero_grad()
        loss = criterion(ddp_model(xb), yb)
        loss.backward()
        optimizer.step()
        total_loss += loss.item()
        if i % args.log_interval == 0:
            cur = total_loss / args.log_interval
            total = torch.tensor(cur, dtype=torch.float64)
            dist.all_reduce(total)
            mean_cur = total.item() / dist.get_world_size()
            if dist.get_rank() == 0:
                print(mean_cur)
            total_loss = 0
del ddp_model
dist.destroy_process_group()
