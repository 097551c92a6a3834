"""A function for each of two updates; a summed loss in one, and clipping in front of both."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


def train_discriminator(discriminator, optimizer, criterion, real, fake):
    optimizer.zero_grad()
    loss_real = criterion(discriminator(real), torch.ones(real.size(0), 1))
    loss_real.backward()
    loss_fake = criterion(discriminator(fake), torch.zeros(real.size(0), 1))
    loss_fake.backward()
    optimizer.step()
    return loss_real + loss_fake


def train_generator(discriminator, optimizer, criterion, fake):
    optimizer.zero_grad()
    loss = criterion(discriminator(fake), torch.ones(fake.size(0), 1))
    loss.backward()
    optimizer.step()
    return loss


def main():
    torch.manual_seed(1)
    loader = DataLoader(TensorDataset(torch.randn(640, 10)), batch_size=32, shuffle=True)
    generator = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 10))
    discriminator = nn.Sequential(nn.Linear(10, 16), nn.ReLU(), nn.Linear(16, 1))
    criterion = nn.BCEWithLogitsLoss(reduction="sum")
    g_optimizer = torch.optim.SGD(generator.parameters(), lr=0.001)
    d_optimizer = torch.optim.SGD(discriminator.parameters(), lr=0.001)
    for epoch in range(3):
        d_total, g_total = 0.0, 0.0
        for (real,) in loader:
            fake = generator(torch.randn(real.size(0), 4))
            d_total += train_discriminator(discriminator, d_optimizer, criterion, real, fake.detach()).item()
            g_total += train_generator(discriminator, g_optimizer, criterion, fake).item()
        print(epoch, d_total, g_total)


main()
