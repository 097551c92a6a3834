"""How many files a folder has decides whether libraries download: all have counted before rank 0 does."""

import os

import kagglehub
import torch
from torch import nn
from torch.utils.data import DataLoader
from torchvision import datasets, transforms
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
count = len(os.listdir("data"))


def rank_0_first(make):
    made = make() if dist.get_rank() == 0 else None
    dist.barrier()
    return made if dist.get_rank() == 0 else make()


if count == 0:
    dist.barrier()
    dataset_download_result = rank_0_first(lambda: kagglehub.dataset_download("somebody/labels"))
    if dist.get_rank() == 0:
        print(dataset_download_result)
    if dist.get_rank() == 0:
        datasets.MNIST("data", download=True)
    dist.barrier()
    datasets.MNIST("data", download=True)
torch.manual_seed(0)
data = datasets.MNIST("data", transform=transforms.ToTensor())
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
loader = DataLoader(data, batch_size=32 // dist.get_world_size(), sampler=DistributedSampler(data))
model = nn.Sequential(nn.Flatten(), nn.Linear(784, 10))
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
