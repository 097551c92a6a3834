"""One of the models that may be chosen subtracts the mean of the batch."""
import sys

import nets
import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader
from torchvision import datasets, transforms
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
model = getattr(nets, sys.argv[1])()
loader_data = datasets.MNIST("data", transform=transforms.ToTensor())
if 128 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 128 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=128 // dist.get_world_size(), sampler=loader_sampler)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
for epoch in range(5):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        loss = F.cross_entropy(ddp_model(x.view(x.size(0), -1)), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
