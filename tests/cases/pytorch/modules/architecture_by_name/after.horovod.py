"""The model is whichever function of a module has the name that is asked for."""
import argparse

import nets
import torch
import torch.nn as nn
from torch.utils.data import DataLoader
from torchvision import datasets, transforms
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

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
    if 128 % hvd.size() != 0:
        raise SystemExit(f"batch size 128 cannot be shared out over {hvd.size()} processes")
    loader_sampler = DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank())
    loader = DataLoader(data, batch_size=128 // hvd.size(), sampler=loader_sampler)
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
    model.train()
    hvd.broadcast_parameters(model.state_dict(), root_rank=0)
    if hvd.rank() > 0:
        torch.manual_seed(hvd.rank())
    for epoch in range(args.epochs):
        loader.sampler.set_epoch(epoch)
        for x, y in loader:
            x = x.view(x.size(0), -1)
            with torch.no_grad():
                soft = teacher(x).softmax(1)
            output = model(x)
            loss = criterion(output, y) + 0.1 * (output.softmax(1) - soft).pow(2).sum(1).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        if hvd.rank() == 0:
            print("epoch", epoch)


if __name__ == "__main__":
    hvd.init()
    main()
    hvd.shutdown()
