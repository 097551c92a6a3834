"""Samples decoded from fixed noise are written as an image each epoch: computed on all ranks or one, written by rank 0."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader
from torchvision import datasets, transforms
from torchvision.utils import save_image
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
loader_data = datasets.MNIST("data", download=True, transform=transforms.ToTensor())
if 128 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 128 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=128 // dist.get_world_size(), sampler=loader_sampler)
autoencoder = nn.Sequential(nn.Flatten(), nn.Linear(784, 32), nn.ReLU(), nn.Linear(32, 784), nn.Sigmoid())
optimizer = torch.optim.Adam(autoencoder.parameters(), lr=1e-3)
torch.manual_seed(0)
noise = torch.rand(64, 1, 28, 28)
ddp_autoencoder = DistributedDataParallel(autoencoder)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for img, _ in loader:
        optimizer.zero_grad()
        out = ddp_autoencoder(img)
        nn.functional.mse_loss(out, img.view(img.size(0), -1)).backward()
        optimizer.step()
    with torch.no_grad():
        autoencoder_result = autoencoder(noise)
        if dist.get_rank() == 0:
            save_image(autoencoder_result.view(64, 1, 28, 28), "sample_%d.png" % epoch)
del ddp_autoencoder
dist.destroy_process_group()
