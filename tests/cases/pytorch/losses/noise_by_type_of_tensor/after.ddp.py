"""Noise of NumPy and labels have a row for each sample of the batch: the losses are means over the samples."""
import argparse

import numpy as np
import torch
import torch.nn as nn
from torch.autograd import Variable
from torch.utils.data import DataLoader
from torchvision import datasets, transforms
import os
import torch.distributed as dist
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("cpu:gloo,cuda:nccl" if torch.cuda.is_available() else "gloo")
if torch.cuda.is_available():
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
parser = argparse.ArgumentParser()
parser.add_argument("--latent", type=int, default=100)
parser.add_argument("--channels", type=int, default=1)
opt = parser.parse_args()

shape = (opt.channels, 28, 28)
cuda = torch.cuda.is_available()
Tensor = torch.cuda.FloatTensor if cuda else torch.FloatTensor
LongTensor = torch.cuda.LongTensor if cuda else torch.LongTensor

generator = nn.Sequential(nn.Linear(opt.latent, 784), nn.Tanh())
critic = nn.Sequential(nn.Linear(784, 1), nn.Sigmoid())
sorter = nn.Linear(784, 10)
likely = nn.BCELoss()
class_loss = nn.CrossEntropyLoss()
if cuda:
    generator.cuda()
    critic.cuda()
    sorter.cuda()

data = datasets.MNIST("data", train=True, transform=transforms.ToTensor())
if 64 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 64 cannot be shared out over {dist.get_world_size()} processes")
loader = DataLoader(data, batch_size=64 // dist.get_world_size(), sampler=DistributedSampler(data))
optimizer_g = torch.optim.Adam(generator.parameters(), lr=0.0002)
optimizer_c = torch.optim.Adam(list(critic.parameters()) + list(sorter.parameters()), lr=0.0002)

for tensor in [*generator.parameters(), *generator.buffers()]:
    dist.broadcast(tensor.data, src=0)
for tensor in [*critic.parameters(), *critic.buffers()]:
    dist.broadcast(tensor.data, src=0)
for tensor in [*sorter.parameters(), *sorter.buffers()]:
    dist.broadcast(tensor.data, src=0)
for epoch in range(20):
    loader.sampler.set_epoch(epoch)
    for i, (images, labels) in enumerate(loader):
        count = images.shape[0]
        valid = Variable(Tensor(count, 1).fill_(1.0), requires_grad=False)
        fake = Variable(Tensor(count, 1).fill_(0.0), requires_grad=False)
        real = Variable(images.type(Tensor)).view(count, -1)
        labels = Variable(labels.type(LongTensor))

        optimizer_g.zero_grad()
        z = Variable(Tensor(np.random.normal(0, 1, (count, opt.latent))))
        wanted = Variable(LongTensor(np.random.randint(0, 10, count)))
        made = generator(z)
        loss_g = likely(critic(made), valid) + class_loss(sorter(made), wanted)
        loss_g.backward()
        for parameter in [p for group in optimizer_g.param_groups for p in group["params"]]:
            if parameter.grad is not None:
                dist.all_reduce(parameter.grad)
                parameter.grad /= dist.get_world_size()
        optimizer_g.step()

        optimizer_c.zero_grad()
        blurred = real + torch.randn(real.shape).type(Tensor) * 0.1
        loss_c = likely(critic(blurred), valid) + class_loss(sorter(real), labels)
        loss_c = loss_c + likely(critic(made.detach()), fake)
        loss_c.backward()
        for parameter in [p for group in optimizer_c.param_groups for p in group["params"]]:
            if parameter.grad is not None:
                dist.all_reduce(parameter.grad)
                parameter.grad /= dist.get_world_size()
        optimizer_c.step()

        if i % 100 == 0:
            if dist.get_rank() == 0:
                print("epoch %d batch %d" % (epoch, i))
dist.destroy_process_group()
