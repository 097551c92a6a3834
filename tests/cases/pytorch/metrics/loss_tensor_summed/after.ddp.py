"""The loss is summed as a tensor, not as a number (total_loss += loss.data): reduced without touching the user's tensor in place."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
loader_data = TensorDataset(torch.randn(300, 4), torch.randn(300, 1))
if 30 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 30 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=30 // dist.get_world_size(), sampler=loader_sampler)
net = nn.Linear(4, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
mse = nn.MSELoss()

ddp_net = DistributedDataParallel(net)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(6):
    total_loss = 0
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        loss = mse(ddp_net(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total_loss += loss.data
    total = torch.tensor(float(total_loss), dtype=torch.float64)
    dist.all_reduce(total)
    total_loss = (total / dist.get_world_size()).float()
    if dist.get_rank() == 0:
        print("epoch: %d, loss: %.4f" % (epoch, total_loss / len(loader)))
del ddp_net
dist.destroy_process_group()
