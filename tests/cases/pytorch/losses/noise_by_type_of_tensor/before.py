"""Noise of NumPy and labels have a row for each sample of the batch: the losses are means over the samples."""
import argparse

import numpy as np
import torch
import torch.nn as nn
from torch.autograd import Variable
from torch.utils.data import DataLoader
from torchvision import datasets, transforms

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
loader = DataLoader(data, batch_size=64, shuffle=True)
optimizer_g = torch.optim.Adam(generator.parameters(), lr=0.0002)
optimizer_c = torch.optim.Adam(list(critic.parameters()) + list(sorter.parameters()), lr=0.0002)

for epoch in range(20):
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
        optimizer_g.step()

        optimizer_c.zero_grad()
        blurred = real + torch.randn(real.shape).type(Tensor) * 0.1
        loss_c = likely(critic(blurred), valid) + class_loss(sorter(real), labels)
        loss_c = loss_c + likely(critic(made.detach()), fake)
        loss_c.backward()
        optimizer_c.step()

        if i % 100 == 0:
            print("epoch %d batch %d" % (epoch, i))
