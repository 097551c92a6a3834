"""download=True runs on rank 0 first; the other processes wait, then read what it left."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader
from torchvision import transforms
from torchvision.datasets import CIFAR10
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

transform = transforms.Compose([transforms.ToTensor(), transforms.Normalize((0.5,) * 3, (0.5,) * 3)])


def main():
    if dist.get_rank() == 0:
        CIFAR10(root="./data", train=True, download=True)
        CIFAR10(root="./data", train=False, download=True)
    dist.barrier()
    train_set = CIFAR10(root="./data", train=True, download=True, transform=transform)
    val_set = CIFAR10(root="./data", train=False, download=True, transform=transform)
    if 64 % dist.get_world_size() != 0:
        raise SystemExit(f"batch size 64 cannot be shared out over {dist.get_world_size()} processes")
    train_sampler = DistributedSampler(train_set)
    train_loader = DataLoader(train_set, batch_size=64 // dist.get_world_size(), sampler=train_sampler)
    val_sampler = range(dist.get_rank(), len(val_set), dist.get_world_size())
    val_loader = DataLoader(val_set, batch_size=64, sampler=val_sampler)
    model = nn.Sequential(nn.Flatten(), nn.Linear(3072, 10))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    ddp_model = DistributedDataParallel(model)
    for epoch in range(2):
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
            print(hits / len(val_set))


if __name__ == "__main__":
    if "RANK" not in os.environ:
        raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
    dist.init_process_group("gloo")
    main()
    dist.destroy_process_group()
