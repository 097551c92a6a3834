"""Pictures are listed, folders are made among them, and the pictures are moved there: all have listed before both."""

import os
import shutil

import torch
from torch import nn
from torch.utils.data import DataLoader
from torchvision import datasets, transforms
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


def sort_out(folder):
    names = [name for name in os.listdir(folder) if name.startswith(("cat", "dog"))]
    dist.barrier()
    for kind in ("cat", "dog"):
        if dist.get_rank() == 0:
            os.makedirs(os.path.join(folder, kind))
    dist.barrier()
    for name in names:
        dist.barrier()
        if dist.get_rank() == 0:
            shutil.move(os.path.join(folder, name), os.path.join(folder, name[:3], name))


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
sort_out("pictures")
torch.manual_seed(0)
dist.barrier()
data = datasets.ImageFolder("pictures", transforms.Compose([transforms.Resize((8, 8)), transforms.ToTensor()]))
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
loader = DataLoader(data, batch_size=32 // dist.get_world_size(), sampler=DistributedSampler(data))
model = nn.Sequential(nn.Flatten(), nn.Linear(192, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for images, labels in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(ddp_model(images), labels).backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
