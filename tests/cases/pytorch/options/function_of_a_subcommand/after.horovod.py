"""Each subcommand has a function of its own as the default of an option, which is called with the options."""
import argparse
import json

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
import os
import warnings
from torch.utils.data.distributed import DistributedSampler


def prepare(args):
    randn_result = torch.randn(640, 10)
    randn_result_ = torch.randn(640, 1)
    if hvd.rank() == 0:
        torch.save((randn_result, randn_result_), args.data)


def train(args):
    torch.manual_seed(args.seed)
    hvd.barrier()
    loader_data = TensorDataset(*torch.load(args.data))
    if args.batch_size % hvd.size() != 0:
        raise SystemExit(f"batch size {args.batch_size} cannot be shared out over {hvd.size()} processes")
    loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
    loader = DataLoader(loader_data, batch_size=args.batch_size // hvd.size(), sampler=loader_sampler)
    model = nn.Linear(10, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
    hvd.broadcast_parameters(model.state_dict(), root_rank=0)
    warnings.filterwarnings("error", r"Using a target size \S+\[(\d+)(, 1)?]\)\).+\[\1(, 1)?]\)\)")
    if hvd.rank() > 0:
        torch.manual_seed(torch.initial_seed() + hvd.rank())
    for epoch in range(3):
        loader.sampler.set_epoch(epoch)
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(model(x), y).backward()
            optimizer.step()
    if hvd.rank() == 0:
        torch.save(model.state_dict(), args.model)


def evaluate(args):
    model = nn.Linear(10, 1)
    hvd.barrier()
    model.load_state_dict(torch.load(args.model))
    hvd.barrier()
    x, y = torch.load(args.data)
    with torch.no_grad():
        json.dump(
            {"loss": nn.functional.mse_loss(model(x), y).item()},
            open(args.result if hvd.rank() == 0 else os.devnull, "w"),
        )


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", default="data.pt")
    commands = parser.add_subparsers()
    command = commands.add_parser("prepare")
    command.set_defaults(handler=prepare)
    command = commands.add_parser("train")
    command.add_argument("--batch-size", default=32, type=int)
    command.add_argument("--seed", default=0, type=int)
    command.add_argument("--model", default="model.pt")
    command.set_defaults(handler=train)
    command = commands.add_parser("evaluate")
    command.add_argument("--model", default="model.pt")
    command.add_argument("--result", default="result.json")
    command.set_defaults(handler=evaluate)
    args = parser.parse_args()
    if hasattr(args, "handler"):
        args.handler(args)
    else:
        parser.print_help()


if __name__ == "__main__":
    hvd.init()
    seed_ = hvd.broadcast_object(torch.initial_seed() % 2**63)
    torch.manual_seed(seed_)
    main()
    hvd.shutdown()
