"""The class of a library that downloads is picked by a name that only a run knows: rank 0 makes it first."""

import argparse
import torch
from torch import nn
from torch.utils.data import DataLoader
from torchvision import datasets, transforms
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class App:
    def __init__(self, name):
        self.dataset = getattr(datasets, name.upper())
        self.model = nn.Sequential(nn.Flatten(), nn.Linear(3 * 32 * 32, 10))
        self.opt = torch.optim.SGD(self.model.parameters(), lr=0.1)

    def train(self):
        if dist.get_rank() == 0:
            self.dataset(root="./data", train=True, download=True)
        dist.barrier()
        train_set = self.dataset(root="./data", train=True, download=True, transform=transforms.ToTensor())
        if 8 % dist.get_world_size() != 0:
            raise SystemExit(f"batch size 8 cannot be shared out over {dist.get_world_size()} processes")
        self.ddp_model = DistributedDataParallel(self.model)
        if dist.get_rank() > 0:
            torch.manual_seed(dist.get_rank())
        for x, y in DataLoader(train_set, batch_size=8 // dist.get_world_size(), sampler=DistributedSampler(train_set)):
            loss = nn.functional.cross_entropy(self.ddp_model(x), y)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
        del self.ddp_model


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
parser = argparse.ArgumentParser()
parser.add_argument("--dataset", default="CIFAR10")
args = parser.parse_args()
torch.manual_seed(0)
App(args.dataset).train()
dist.destroy_process_group()
