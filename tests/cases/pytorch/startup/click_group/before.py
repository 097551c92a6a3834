"""Commands of a group, which does something before each of them."""

import click
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


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
    loader = DataLoader(data, batch_size=batch_size, shuffle=True)
    model = nn.Linear(8, 3)
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=lr)
    for epoch in range(epochs):
        total = 0.0
        for x, y in loader:
            optimizer.zero_grad()
            loss = criterion(model(x), y)
            loss.backward()
            optimizer.step()
            total += loss.item()
        print(epoch, total / len(loader))


@cli.command()
def version():
    print("one")


if __name__ == "__main__":
    cli()
