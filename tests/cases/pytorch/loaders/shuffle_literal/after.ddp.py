"""shuffle=True moves into a DistributedSampler; set_epoch is called with the loop's own variable."""
import torch
import torch.nn as nn
import torch.optim as optim
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
    datasets.MNIST("data", train=True, download=True)
dist.barrier()
train_set = datasets.MNIST("data", train=True, download=True, transform=transforms.ToTensor())
if 64 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 64 cannot be shared out over {dist.get_world_size()} processes")
train_sampler = DistributedSampler(train_set)
train_loader = DataLoader(train_set, batch_size=64 // dist.get_world_size(), sampler=train_sampler)

model = nn.Sequential(nn.Flatten(), nn.Linear(784, 128), nn.ReLU(), nn.Linear(128, 10))
criterion = nn.CrossEntropyLoss()
optimizer = optim.SGD(model.parameters(), lr=0.01, momentum=0.9)

ddp_model = DistributedDataParallel(model)
for epoch in range(5):
    train_loader.sampler.set_epoch(epoch)
    for images, labels in train_loader:
        optimizer.zero_grad()
        loss = criterion(ddp_model(images), labels)
        loss.backward()
        optimizer.step()
    if dist.get_rank() == 0:
        print("epoch", epoch, "done")
del ddp_model
dist.destroy_process_group()
