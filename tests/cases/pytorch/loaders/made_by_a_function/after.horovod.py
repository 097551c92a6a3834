"""A function makes both loaders and returns them as a tuple; shuffle is an expression over its parameter."""
import torch
import torch.nn as nn
import torch.optim as optim
from torch.utils.data import DataLoader
from torchvision import datasets, transforms
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


def make_loader(split, batch_size):
    if hvd.rank() == 0:
        datasets.MNIST("data", train=split == "train", download=True)
    hvd.barrier()
    dataset = datasets.MNIST("data", train=split == "train", download=True, transform=transforms.ToTensor())
    if split == "train":
        if batch_size % hvd.size() != 0:
            raise SystemExit(f"batch size {batch_size} cannot be shared out over {hvd.size()} processes")
        sampler = DistributedSampler(dataset, num_replicas=hvd.size(), rank=hvd.rank())
        share = batch_size // hvd.size()
    else:
        sampler = range(hvd.rank(), len(dataset), hvd.size())
        share = batch_size
    return DataLoader(dataset, batch_size=share, sampler=sampler)


def get_loaders(batch_size=100):
    return make_loader("train", batch_size), make_loader("test", batch_size)


hvd.init()
train_dl, test_dl = get_loaders()
net = nn.Sequential(nn.Flatten(), nn.Linear(784, 32), nn.ReLU(), nn.Linear(32, 10))
optimizer = optim.SGD(net.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=net.named_parameters())

hvd.broadcast_parameters(net.state_dict(), root_rank=0)
for epoch in range(2):
    train_dl.sampler.set_epoch(epoch)
    for x, y in train_dl:
        optimizer.zero_grad()
        nn.CrossEntropyLoss()(net(x), y).backward()
        optimizer.step()
    right = sum_of = 0
    with torch.no_grad():
        for x, y in test_dl:
            right += (net(x).argmax(1) == y).sum().item()
            sum_of += len(y)
        totals = hvd.allreduce(torch.tensor([right, sum_of], dtype=torch.float64), op=hvd.Sum)
        right, sum_of = int(totals[0]), int(totals[1])
    if hvd.rank() == 0:
        print(epoch, right / sum_of)
hvd.shutdown()
