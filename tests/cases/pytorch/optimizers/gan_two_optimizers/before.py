"""Two optimizers (generator and discriminator) with a backward pass each."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader
from torchvision import datasets, transforms

loader = DataLoader(datasets.MNIST("data", download=True, transform=transforms.ToTensor()), batch_size=64, shuffle=True)
generator = nn.Sequential(nn.Linear(100, 784), nn.Sigmoid())
discriminator = nn.Sequential(nn.Linear(784, 1), nn.Sigmoid())
loss = nn.BCELoss()
optimizer_G = torch.optim.Adam(generator.parameters(), lr=2e-4, betas=(0.5, 0.999))
optimizer_D = torch.optim.Adam(discriminator.parameters(), lr=2e-4, betas=(0.5, 0.999))
for epoch in range(20):
    for i, (imgs, _) in enumerate(loader):
        real = imgs.view(imgs.size(0), -1)
        valid = torch.ones(imgs.size(0), 1)
        fake = torch.zeros(imgs.size(0), 1)
        optimizer_G.zero_grad()
        gen = generator(torch.randn(imgs.size(0), 100))
        g_loss = loss(discriminator(gen), valid)
        g_loss.backward()
        optimizer_G.step()
        optimizer_D.zero_grad()
        d_loss = (loss(discriminator(real), valid) + loss(discriminator(gen.detach()), fake)) / 2
        d_loss.backward()
        optimizer_D.step()
