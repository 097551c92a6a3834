"""How many files a folder has decides whether libraries download: all have counted before rank 0 does."""

import os

import kagglehub
import torch
from torch import nn
from torch.utils.data import DataLoader
from torchvision import datasets, transforms
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
count = len(os.listdir("data"))


def rank_0_first(make):
    made = make() if hvd.rank() == 0 else None
    hvd.barrier()
    return made if hvd.rank() == 0 else make()


if count == 0:
    hvd.barrier()
    dataset_download_result = rank_0_first(lambda: kagglehub.dataset_download("somebody/labels"))
    if hvd.rank() == 0:
        print(dataset_download_result)
    if hvd.rank() == 0:
        datasets.MNIST("data", download=True)
    hvd.barrier()
    datasets.MNIST("data", download=True)
torch.manual_seed(0)
data = datasets.MNIST("data", transform=transforms.ToTensor())
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(data, batch_size=32 // hvd.size(), sampler=loader_sampler)
model = nn.Sequential(nn.Flatten(), nn.Linear(784, 10))
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
