"""A layer that only a method beside the training step uses has no gradient: DDP looks for unused parameters."""

import torch
import torch.nn.functional as F
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
torch.manual_seed(0)
x = torch.randn(240, 8)
y = (x.sum(1) > 0).long()
loader_data = TensorDataset(x, y)
if 20 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 20 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=20 // dist.get_world_size(), sampler=loader_sampler)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(8, 6)
        self.head = nn.Linear(6, 2)
        self.scale = nn.Linear(8, 2)

    def forward(self, x):
        return self.head(torch.relu(self.body(x)))

    def rescaled(self, x):
        return self.scale(x)


model = Net()
opt = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model, find_unused_parameters=True)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for a, b in loader:
        opt.zero_grad()
        loss = F.cross_entropy(ddp_model(a), b)
        loss.backward()
        opt.step()
if dist.get_rank() == 0:
    torch.save(model.state_dict(), "model.pt")
with torch.no_grad():
    rescaled_result = model.rescaled(x)
    if dist.get_rank() == 0:
        print(rescaled_result.sum().item())
del ddp_model
dist.destroy_process_group()
