"""The loader is iterated through tqdm: the sampler is still the loader's, the bar is shown once."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader
from torchvision import datasets, transforms
from tqdm import tqdm
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("cpu:gloo,cuda:nccl" if torch.cuda.is_available() else "gloo")
if torch.cuda.is_available():
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
if dist.get_rank() == 0:
    datasets.CIFAR10("data", train=True, download=True)
dist.barrier()
train_data = datasets.CIFAR10("data", train=True, download=True, transform=transforms.ToTensor())
if 128 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 128 cannot be shared out over {dist.get_world_size()} processes")
train_loader = DataLoader(
    train_data,
    batch_size=128 // dist.get_world_size(),
    sampler=DistributedSampler(train_data),
    num_workers=2,
)
model = nn.Sequential(
    nn.Conv2d(3, 16, 3, padding=1), nn.ReLU(), nn.AdaptiveAvgPool2d(4), nn.Flatten(), nn.Linear(256, 10)
).to(device)
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4)
criterion = nn.CrossEntropyLoss()

ddp_model = DistributedDataParallel(model)
for epoch in range(2):
    loop = tqdm(train_loader, desc=f"Epoch {epoch + 1}", leave=False, disable=dist.get_rank() != 0)
    train_loader.sampler.set_epoch(epoch)
    for images, labels in loop:
        images, labels = images.to(device), labels.to(device)
        loss = criterion(ddp_model(images), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        loop.set_postfix(loss=loss.item())
del ddp_model
dist.destroy_process_group()
