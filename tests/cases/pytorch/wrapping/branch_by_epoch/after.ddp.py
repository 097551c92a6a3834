"""A layer that only the first epochs use: with momentum, a gradient of zero is not the same as none."""
import torch
from torch import nn
import torch.nn.functional as F
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
data = torch.randn(640, 8)
labels = (data[:, 0] > 0).long()


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(8, 16)
        self.extra = nn.Linear(16, 16)
        self.last = nn.Linear(16, 2)

    def forward(self, x, deep):
        h = F.relu(self.first(x))
        if deep:
            h = F.relu(self.extra(h))
        return self.last(h)


model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
loader_data = TensorDataset(data, labels)
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data, shuffle=False)
loader = DataLoader(loader_data, batch_size=32 // dist.get_world_size(), sampler=loader_sampler)
ddp_model = DistributedDataParallel(model, find_unused_parameters=True)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(6):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        loss = F.cross_entropy(ddp_model(x, epoch < 2), y)
        loss.backward()
        optimizer.step()
    if dist.get_rank() == 0:
        print(epoch, sum(p.sum().item() for p in model.extra.parameters()))
del ddp_model
dist.destroy_process_group()
