"""Each subcommand has a function of its own as the default of an option, which is called with the options."""
import argparse
import json

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
import warnings
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


def prepare(args):
    randn_result = torch.randn(640, 10)
    randn_result_ = torch.randn(640, 1)
    if dist.get_rank() == 0:
        torch.save((randn_result, randn_result_), args.data)


def train(args):
    torch.manual_seed(args.seed)
    dist.barrier()
    loader_data = TensorDataset(*torch.load(args.data))
    if args.batch_size % dist.get_world_size() != 0:
        raise SystemExit(f"batch size {args.batch_size} cannot be shared out over {dist.get_world_size()} processes")
    loader_sampler = DistributedSampler(loader_data)
    loader = DataLoader(loader_data, batch_size=args.batch_size // dist.get_world_size(), sampler=loader_sampler)
    model = nn.Linear(10, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    ddp_model = DistributedDataParallel(model)
    warnings.filterwarnings("error", r"Using a target size \S+\[(\d+)(, 1)?]\)\).+\[\1(, 1)?]\)\)")
    if dist.get_rank() > 0:
        torch.manual_seed(torch.initial_seed() + dist.get_rank())
    for epoch in range(3):
        loader.sampler.set_epoch(epoch)
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(ddp_model(x), y).backward()
            optimizer.step()
    if dist.get_rank() == 0:
        torch.save(model.state_dict(), args.model)


def evaluate(args):
    model = nn.Linear(10, 1)
    dist.barrier()
    model.load_state_dict(torch.load(args.model))
    dist.barrier()
    x, y = torch.load(args.data)
    with torch.no_grad():
        json.dump(
            {"loss": nn.functional.mse_loss(model(x), y).item()},
            open(args.result if dist.get_rank() == 0 else os.devnull, "w"),
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
    if "RANK" not in os.environ:
        raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
    dist.init_process_group("gloo")
    seed_ = torch.tensor(torch.initial_seed() % 2**63)
    dist.broadcast(seed_, src=0)
    seed_ = seed_.item()
    torch.manual_seed(seed_)
    main()
    dist.destroy_process_group()
