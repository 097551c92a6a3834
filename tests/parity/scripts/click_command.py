"""The main function is a command of click, which ends the program."""

import click
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


@click.command()
@click.option("--epochs", default=3)
@click.option("--rate", default=0.1)
@click.option("--batch-size", default=12)
def main(epochs: int, rate: float, batch_size: int) -> None:
    """Train a line on made-up data."""
    torch.manual_seed(3)
    inputs = torch.randn(96, 5)
    data = TensorDataset(inputs, inputs.sum(dim=1).gt(0).long())
    loader = DataLoader(data, batch_size=batch_size, shuffle=True)
    model = nn.Linear(5, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=rate)
    criterion = nn.CrossEntropyLoss()
    for epoch in range(epochs):
        running = 0.0
        for x, y in loader:
            optimizer.zero_grad()
            loss = criterion(model(x), y)
            loss.backward()
            optimizer.step()
            running += loss.item()
        click.echo(f"epoch {epoch}: {running / len(loader):.4f}")


if __name__ == "__main__":
    main()
