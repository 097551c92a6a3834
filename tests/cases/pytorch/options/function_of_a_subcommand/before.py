"""Each subcommand has a function of its own as the default of an option, which is called with the options."""
import argparse
import json

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


def prepare(args):
    torch.save((torch.randn(640, 10), torch.randn(640, 1)), args.data)


def train(args):
    torch.manual_seed(args.seed)
    loader = DataLoader(TensorDataset(*torch.load(args.data)), batch_size=args.batch_size, shuffle=True)
    model = nn.Linear(10, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(3):
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(model(x), y).backward()
            optimizer.step()
    torch.save(model.state_dict(), args.model)


def evaluate(args):
    model = nn.Linear(10, 1)
    model.load_state_dict(torch.load(args.model))
    x, y = torch.load(args.data)
    with torch.no_grad():
        json.dump({"loss": nn.functional.mse_loss(model(x), y).item()}, open(args.result, "w"))


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
    main()
