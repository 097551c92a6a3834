"""Commands of a group, which does something before each of them."""

import click
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


@click.group()
@click.option("--seed", default=0)
def cli(seed):
    torch.manual_seed(seed)


@cli.command()
@click.option("--epochs", default=3)
@click.option("--batch-size", default=16)
@click.option("--lr", default=0.1)
def train(epochs, batch_size, lr):
    data = TensorDataset(torch.randn(64, 8), torch.randint(0, 3, (64,)))
    if batch_size % hvd.size() != 0:
        raise SystemExit(f"batch size {batch_size} cannot be shared out over {hvd.size()} processes")
    loader_sampler = DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank())
    loader = DataLoader(data, batch_size=batch_size // hvd.size(), sampler=loader_sampler)
    model = nn.Linear(8, 3)
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=lr)
    optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
    hvd.broadcast_parameters(model.state_dict(), root_rank=0)
    if hvd.rank() > 0:
        torch.manual_seed(torch.initial_seed() + hvd.rank())
    for epoch in range(epochs):
        total = 0.0
        loader.sampler.set_epoch(epoch)
        for x, y in loader:
            optimizer.zero_grad()
            loss = criterion(model(x), y)
            loss.backward()
            optimizer.step()
            total += loss.item()
        total_ = hvd.allreduce(torch.tensor(total, dtype=torch.float64), op=hvd.Sum)
        total = total_.item() / hvd.size()
        if hvd.rank() == 0:
            print(epoch, total / len(loader))


@cli.command()
def version():
    if hvd.rank() == 0:
        print("one")


if __name__ == "__main__":
    hvd.init()
    try:
        cli()
    finally:
        hvd.shutdown()
