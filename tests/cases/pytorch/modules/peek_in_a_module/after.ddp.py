"""A class of its own file looks at a batch of the loader that it is given: at a whole one."""
import argparse
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from solver import Solver
import os
import torch.distributed as dist
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--batch-size", type=int, default=8)
    args = parser.parse_args()
    torch.manual_seed(0)
    x = torch.randn(64, 4)
    y = (x.sum(1) > 0).long()
    loader_data = TensorDataset(x, y)
    if args.batch_size % dist.get_world_size() != 0:
        raise SystemExit(f"batch size {args.batch_size} cannot be shared out over {dist.get_world_size()} processes")
    loader_sampler = DistributedSampler(loader_data)
    loader = DataLoader(loader_data, batch_size=args.batch_size // dist.get_world_size(), sampler=loader_sampler)
    solver = Solver(loader, nn.Linear(4, 2))
    solver.show()
    solver.train(3)


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
main()
dist.destroy_process_group()
