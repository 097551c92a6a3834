"""Pictures are listed, folders are made among them, and the pictures are moved there: all have listed before both."""

import os
import shutil

import torch
from torch import nn
from torch.utils.data import DataLoader
from torchvision import datasets, transforms
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


def sort_out(folder):
    names = [name for name in os.listdir(folder) if name.startswith(("cat", "dog"))]
    hvd.barrier()
    for kind in ("cat", "dog"):
        if hvd.rank() == 0:
            os.makedirs(os.path.join(folder, kind))
    hvd.barrier()
    for name in names:
        hvd.barrier()
        if hvd.rank() == 0:
            shutil.move(os.path.join(folder, name), os.path.join(folder, name[:3], name))


hvd.init()
sort_out("pictures")
torch.manual_seed(0)
hvd.barrier()
data = datasets.ImageFolder("pictures", transforms.Compose([transforms.Resize((8, 8)), transforms.ToTensor()]))
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(data, batch_size=32 // hvd.size(), sampler=loader_sampler)
model = nn.Sequential(nn.Flatten(), nn.Linear(192, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for images, labels in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(images), labels).backward()
        optimizer.step()
hvd.shutdown()
