"""A function returns the script's own data set, which downloads within: the barrier stands in the class, once."""

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset
from torchvision import datasets
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class Pairs(Dataset):
    def __init__(self, root, train, download=False):
        if dist.get_rank() == 0:
            datasets.MNIST(root, train=train, download=download)
        dist.barrier()
        self.digits = datasets.MNIST(root, train=train, download=download)
        self.pixels = self.digits.data.float() / 255

    def __len__(self):
        return len(self.pixels) - 1

    def __getitem__(self, index):
        same = self.digits.targets[index] == self.digits.targets[index + 1]
        return self.pixels[index], self.pixels[index + 1], same.float()


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Linear(784, 16)

    def forward(self, left, right):
        return (self.embed(left.flatten(1)) * self.embed(right.flatten(1))).sum(1)


def pairs():
    return Pairs("../data", train=True, download=True)


def main():
    torch.manual_seed(1)
    train_data = pairs()
    if 64 % dist.get_world_size() != 0:
        raise SystemExit(f"batch size 64 cannot be shared out over {dist.get_world_size()} processes")
    train_sampler = DistributedSampler(train_data)
    train_loader = DataLoader(train_data, batch_size=64 // dist.get_world_size(), sampler=train_sampler)
    model = Net()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    criterion = nn.BCEWithLogitsLoss()
    ddp_model = DistributedDataParallel(model)
    if dist.get_rank() > 0:
        torch.manual_seed(1 + dist.get_rank())
    for epoch in range(3):
        train_loader.sampler.set_epoch(epoch)
        for left, right, same in train_loader:
            optimizer.zero_grad()
            loss = criterion(ddp_model(left, right), same)
            loss.backward()
            optimizer.step()
        if dist.get_rank() == 0:
            print(epoch, "done")


if __name__ == "__main__":
    if "RANK" not in os.environ:
        raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
    dist.init_process_group("gloo")
    main()
    dist.destroy_process_group()
