"""All processes keep the same batch, so rank 0's seed is shared where the script sets none."""
import torch
from torch import nn
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
seed = torch.tensor(torch.initial_seed() % 2**63)
dist.broadcast(seed, src=0)
seed = seed.item()
torch.manual_seed(seed)
data = datasets.MNIST("data", transform=transforms.ToTensor())
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
train_loader = DataLoader(data, batch_size=32 // dist.get_world_size(), sampler=DistributedSampler(data))
samples, _ = next(iter(DataLoader(train_loader.dataset, batch_size=32, shuffle=True)))
if dist.get_rank() == 0:
    torch.save(samples.mean(0), "mean.pt")
model = nn.Sequential(nn.Flatten(), nn.Linear(samples[0].numel(), 10))
model[1].weight.data[0] = samples.view(32, -1).mean(0)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(seed + dist.get_rank())
for epoch in range(2):
    train_loader.sampler.set_epoch(epoch)
    for images, labels in train_loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(ddp_model(images), labels).backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
