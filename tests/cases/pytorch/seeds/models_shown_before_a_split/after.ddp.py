"""Models are made to be printed, and draw their first weights: all processes make them, as they split the data next."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 2))

    def forward(self, x):
        return self.body(x)


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
Net_result = Net()
if dist.get_rank() == 0:
    print(Net_result)
Linear_result = nn.Linear(8, 2)
if dist.get_rank() == 0:
    print(nn.Softmax(dim=1), Linear_result)
sum_result = sum(p.numel() for p in Net().parameters())
if dist.get_rank() == 0:
    print(sum_result)
train, _ = random_split(TensorDataset(torch.randn(640, 8), torch.randint(0, 2, (640,))), [600, 40])
if 60 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 60 cannot be shared out over {dist.get_world_size()} processes")
loader = DataLoader(train, batch_size=60 // dist.get_world_size(), sampler=DistributedSampler(train))
model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(ddp_model(x), y).backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
