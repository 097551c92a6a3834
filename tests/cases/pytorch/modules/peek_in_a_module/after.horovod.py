"""A class of its own file looks at a batch of the loader that it is given: at a whole one."""
import argparse
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from solver import Solver
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--batch-size", type=int, default=8)
    args = parser.parse_args()
    torch.manual_seed(0)
    x = torch.randn(64, 4)
    y = (x.sum(1) > 0).long()
    loader_data = TensorDataset(x, y)
    if args.batch_size % hvd.size() != 0:
        raise SystemExit(f"batch size {args.batch_size} cannot be shared out over {hvd.size()} processes")
    loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
    loader = DataLoader(loader_data, batch_size=args.batch_size // hvd.size(), sampler=loader_sampler)
    solver = Solver(loader, nn.Linear(4, 2))
    solver.show()
    solver.train(3)


hvd.init()
main()
hvd.shutdown()
