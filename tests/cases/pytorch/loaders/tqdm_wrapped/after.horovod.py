"""The loader is iterated through tqdm: the sampler is still the loader's, the bar is shown once."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader
from torchvision import datasets, transforms
from tqdm import tqdm
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
if torch.cuda.is_available():
    torch.cuda.set_device(hvd.local_rank())
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
if hvd.rank() == 0:
    datasets.CIFAR10("data", train=True, download=True)
hvd.barrier()
train_data = datasets.CIFAR10("data", train=True, download=True, transform=transforms.ToTensor())
if 128 % hvd.size() != 0:
    raise SystemExit(f"batch size 128 cannot be shared out over {hvd.size()} processes")
train_sampler = DistributedSampler(train_data, num_replicas=hvd.size(), rank=hvd.rank())
train_loader = DataLoader(
    train_data,
    batch_size=128 // hvd.size(),
    sampler=train_sampler,
    num_workers=2,
)
model = nn.Sequential(
    nn.Conv2d(3, 16, 3, padding=1), nn.ReLU(), nn.AdaptiveAvgPool2d(4), nn.Flatten(), nn.Linear(256, 10)
).to(device)
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
criterion = nn.CrossEntropyLoss()

hvd.broadcast_parameters(model.state_dict(), root_rank=0)
for epoch in range(2):
    loop = tqdm(train_loader, desc=f"Epoch {epoch + 1}", leave=False, disable=hvd.rank() != 0)
    train_loader.sampler.set_epoch(epoch)
    for images, labels in loop:
        images, labels = images.to(device), labels.to(device)
        loss = criterion(model(images), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        loop.set_postfix(loss=loss.item())
hvd.shutdown()
