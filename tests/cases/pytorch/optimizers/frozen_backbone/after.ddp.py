"""The backbone is frozen before training and only the head is optimised: freezing before the wrapping is right as it stands."""
import torch
import torch.nn as nn
import torch.optim as optim
from torch.utils.data import DataLoader
from torchvision import datasets, models, transforms
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
tf = transforms.Compose([transforms.Resize(64), transforms.ToTensor()])
if dist.get_rank() == 0:
    datasets.CIFAR10("data", train=True, download=True)
dist.barrier()
loader_data = datasets.CIFAR10("data", train=True, download=True, transform=tf)
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=32 // dist.get_world_size(), sampler=loader_sampler)
model_conv = models.resnet18(weights=None)
for param in model_conv.parameters():
    param.requires_grad = False
num_ftrs = model_conv.fc.in_features
model_conv.fc = nn.Linear(num_ftrs, 10)
criterion = nn.CrossEntropyLoss()
# Only the parameters of the final layer are optimised
optimizer_conv = optim.SGD(model_conv.fc.parameters(), lr=0.001, momentum=0.9)

ddp_model_conv = DistributedDataParallel(model_conv)
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for inputs, labels in loader:
        optimizer_conv.zero_grad()
        criterion(ddp_model_conv(inputs), labels).backward()
        optimizer_conv.step()
del ddp_model_conv
dist.destroy_process_group()
