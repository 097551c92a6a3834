"""The class of a library that downloads is picked by a name that only a run knows: rank 0 makes it first."""

import argparse
import torch
from torch import nn
from torch.utils.data import DataLoader
from torchvision import datasets, transforms
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


class App:
    def __init__(self, name):
        self.dataset = getattr(datasets, name.upper())
        self.model = nn.Sequential(nn.Flatten(), nn.Linear(3 * 32 * 32, 10))
        self.opt = hvd.DistributedOptimizer(
            torch.optim.SGD(self.model.parameters(), lr=0.1), named_parameters=self.model.named_parameters()
        )

    def train(self):
        if hvd.rank() == 0:
            self.dataset(root="./data", train=True, download=True)
        hvd.barrier()
        train_set = self.dataset(root="./data", train=True, download=True, transform=transforms.ToTensor())
        if 8 % hvd.size() != 0:
            raise SystemExit(f"batch size 8 cannot be shared out over {hvd.size()} processes")
        hvd.broadcast_parameters(self.model.state_dict(), root_rank=0)
        if hvd.rank() > 0:
            torch.manual_seed(hvd.rank())
        for x, y in DataLoader(train_set, batch_size=8 // hvd.size(), sampler=DistributedSampler(train_set, num_replicas=hvd.size(), rank=hvd.rank())):
            loss = nn.functional.cross_entropy(self.model(x), y)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()


hvd.init()
parser = argparse.ArgumentParser()
parser.add_argument("--dataset", default="CIFAR10")
args = parser.parse_args()
torch.manual_seed(0)
App(args.dataset).train()
hvd.shutdown()
