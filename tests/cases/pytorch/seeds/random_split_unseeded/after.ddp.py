"""random_split without a seed: each process would train on another's validation data."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, random_split
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
if dist.get_rank() == 0:
    datasets.FashionMNIST("data", train=True, download=True)
dist.barrier()
dataset = datasets.FashionMNIST("data", train=True, download=True, transform=transforms.ToTensor())
n_train = int(0.8 * len(dataset))
train_set, val_set = random_split(dataset, [n_train, len(dataset) - n_train])
if 64 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 64 cannot be shared out over {dist.get_world_size()} processes")
train_sampler = DistributedSampler(train_set)
train_loader = DataLoader(train_set, batch_size=64 // dist.get_world_size(), sampler=train_sampler)
val_sampler = range(dist.get_rank(), len(val_set), dist.get_world_size())
val_loader = DataLoader(val_set, batch_size=256, sampler=val_sampler)
model = nn.Sequential(nn.Flatten(), nn.Linear(784, 10))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(seed + dist.get_rank())
for epoch in range(3):
    train_loader.sampler.set_epoch(epoch)
    for x, y in train_loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(ddp_model(x), y).backward()
        optimizer.step()
    hits = 0
    with torch.no_grad():
        for x, y in val_loader:
            hits += (model(x).argmax(1) == y).sum().item()
        total = torch.tensor(hits, dtype=torch.float64)
        dist.all_reduce(total)
        hits = int(total)
    if dist.get_rank() == 0:
        print("epoch", epoch, "val acc", hits / len(val_set))
del ddp_model
dist.destroy_process_group()
