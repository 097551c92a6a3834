"""A function for each of two updates; a summed loss in one, and clipping in front of both."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


def train_discriminator(discriminator, optimizer, criterion, real, fake):
    optimizer.zero_grad()
    loss_real = criterion(discriminator(real), torch.ones(real.size(0), 1))
    (loss_real * hvd.size()).backward()
    loss_fake = criterion(discriminator(fake), torch.zeros(real.size(0), 1))
    (loss_fake * hvd.size()).backward()
    hvd.grouped_allreduce_([p.grad for group in optimizer.param_groups for p in group["params"] if p.grad is not None])
    optimizer.step()
    return loss_real + loss_fake


def train_generator(discriminator, optimizer, criterion, fake):
    optimizer.zero_grad()
    loss = criterion(discriminator(fake), torch.ones(fake.size(0), 1))
    (loss * hvd.size()).backward()
    hvd.grouped_allreduce_([p.grad for group in optimizer.param_groups for p in group["params"] if p.grad is not None])
    optimizer.step()
    return loss


def main():
    torch.manual_seed(1)
    loader_data = TensorDataset(torch.randn(640, 10))
    if 32 % hvd.size() != 0:
        raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
    loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
    loader = DataLoader(loader_data, batch_size=32 // hvd.size(), sampler=loader_sampler)
    generator = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 10))
    discriminator = nn.Sequential(nn.Linear(10, 16), nn.ReLU(), nn.Linear(16, 1))
    criterion = nn.BCEWithLogitsLoss(reduction="sum")
    g_optimizer = torch.optim.SGD(generator.parameters(), lr=0.001)
    d_optimizer = torch.optim.SGD(discriminator.parameters(), lr=0.001)
    hvd.broadcast_parameters(generator.state_dict(), root_rank=0)
    hvd.broadcast_parameters(discriminator.state_dict(), root_rank=0)
    if hvd.rank() > 0:
        torch.manual_seed(1 + hvd.rank())
    for epoch in range(3):
        d_total, g_total = 0.0, 0.0
        loader.sampler.set_epoch(epoch)
        for (real,) in loader:
            fake = generator(torch.randn(real.size(0), 4))
            d_total += train_discriminator(discriminator, d_optimizer, criterion, real, fake.detach()).item()
            g_total += train_generator(discriminator, g_optimizer, criterion, fake).item()
        totals = hvd.allreduce(torch.tensor([d_total, g_total], dtype=torch.float64), op=hvd.Sum)
        d_total, g_total = totals.tolist()
        if hvd.rank() == 0:
            print(epoch, d_total, g_total)


hvd.init()
main()
hvd.shutdown()
