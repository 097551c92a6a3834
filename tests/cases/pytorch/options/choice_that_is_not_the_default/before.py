"""One of several losses is a formula on the command line, and not the default: the program stops where it is asked for."""
import argparse

import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset


def weighed(features, target):
    return F.mse_loss(features, F.one_hot(target, 3).float())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--loss", type=str, default="plain", choices=["plain", "formula", "weighed"])
    parser.add_argument("--formula", default="output.pow(2).mean()")
    parser.add_argument("--lr", default=0.1, type=float)
    opts = parser.parse_args()

    torch.manual_seed(3)
    rows = TensorDataset(torch.randn(64, 5), torch.randint(0, 3, (64,)))
    loader = DataLoader(rows, batch_size=16, shuffle=True)
    model = nn.Linear(5, 3)
    optimizer = torch.optim.SGD(model.parameters(), lr=opts.lr)
    for epoch in range(2):
        for x, y in loader:
            output = model(x)
            if opts.loss == "plain":
                loss = F.cross_entropy(output, y)
            elif opts.loss == "formula":
                loss = eval(opts.formula)
            elif opts.loss == "weighed":
                loss = weighed(output, y)
            else:
                raise ValueError(opts.loss)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()


if __name__ == "__main__":
    main()
