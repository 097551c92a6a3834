"""next(iter(loader)) before training only looks at a shape: no training step hangs on it."""
import torch
import torch.nn as nn
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
if dist.get_rank() == 0:
    datasets.MNIST("data", download=True)
dist.barrier()
train_data = datasets.MNIST("data", download=True, transform=transforms.ToTensor())
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
train_sampler = DistributedSampler(train_data)
train_loader = DataLoader(train_data, batch_size=32 // dist.get_world_size(), sampler=train_sampler)
images, labels = next(iter(DataLoader(train_loader.dataset, batch_size=32, shuffle=True)))
n_features = images[0].numel()

model = nn.Sequential(nn.Flatten(), nn.Linear(n_features, 10))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
for epoch in range(1):
    train_loader.sampler.set_epoch(epoch)
    for images, labels in train_loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(ddp_model(images), labels).backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
