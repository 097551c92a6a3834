"""The module of the model is named by an option, and one of those in the package compares samples."""
import argparse
from importlib import import_module

import torch
from torch.utils.data import DataLoader, TensorDataset

parser = argparse.ArgumentParser()
parser.add_argument("--net", required=True)
args = parser.parse_args()


def main():
    chosen = import_module("nets." + args.net)
    settings = chosen.Settings(6)
    torch.manual_seed(1)
    rows = TensorDataset(torch.randn(64, 6), torch.randn(64, 1))
    loader = DataLoader(rows, batch_size=settings.batch_size, shuffle=True)
    settings.epochs = 2
    model = chosen.Network(settings)
    optimizer = torch.optim.SGD(model.parameters(), lr=settings.rate)
    for epoch in range(settings.epochs):
        for x, y in loader:
            loss = torch.nn.functional.mse_loss(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()


if __name__ == "__main__":
    main()
