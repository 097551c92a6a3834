"""The model is whichever function of a module has the name that is asked for."""
import argparse

import nets
import torch
import torch.nn as nn
from torch.utils.data import DataLoader
from torchvision import datasets, transforms
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

names = sorted(name for name in nets.__dict__ if name.islower() and callable(nets.__dict__[name]))

parser = argparse.ArgumentParser()
parser.add_argument("-a", "--arch", default="small", choices=names)
parser.add_argument("--epochs", type=int, default=5)


def main():
    args = parser.parse_args()
    torch.manual_seed(0)
    model = nets.__dict__[args.arch](num_classes=10)
    teacher = getattr(nets, args.arch)()
    data = datasets.MNIST("data", transform=transforms.Compose([transforms.Resize(8), transforms.ToTensor()]))
    if 128 % dist.get_world_size() != 0:
        raise SystemExit(f"batch size 128 cannot be shared out over {dist.get_world_size()} processes")
    loader = DataLoader(data, batch_size=128 // dist.get_world_size(), sampler=DistributedSampler(data))
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    model.train()
    ddp_model = DistributedDataParallel(model)
    if dist.get_rank() > 0:
        torch.manual_seed(dist.get_rank())
    for epoch in range(args.epochs):
        loader.sampler.set_epoch(epoch)
        for x, y in loader:
            x = x.view(x.size(0), -1)
            with torch.no_grad():
                soft = teacher(x).softmax(1)
            output = ddp_model(x)
            loss = criterion(output, y) + 0.1 * (output.softmax(1) - soft).pow(2).sum(1).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        if dist.get_rank() == 0:
            print("epoch", epoch)


if __name__ == "__main__":
    if "RANK" not in os.environ:
        raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
    dist.init_process_group("gloo")
    main()
    dist.destroy_process_group()
