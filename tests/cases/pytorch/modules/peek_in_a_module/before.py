"""A class of its own file looks at a batch of the loader that it is given: at a whole one."""
import argparse
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from solver import Solver


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--batch-size", type=int, default=8)
    args = parser.parse_args()
    torch.manual_seed(0)
    x = torch.randn(64, 4)
    y = (x.sum(1) > 0).long()
    loader = DataLoader(TensorDataset(x, y), batch_size=args.batch_size, shuffle=True)
    solver = Solver(loader, nn.Linear(4, 2))
    solver.show()
    solver.train(3)


main()
