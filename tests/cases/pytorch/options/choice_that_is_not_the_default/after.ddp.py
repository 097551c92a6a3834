"""One of several losses is a formula on the command line, and not the default: the program stops where it is asked for."""
import argparse

import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


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
    if 16 % dist.get_world_size() != 0:
        raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
    loader = DataLoader(rows, batch_size=16 // dist.get_world_size(), sampler=DistributedSampler(rows))
    model = nn.Linear(5, 3)
    optimizer = torch.optim.SGD(model.parameters(), lr=opts.lr)
    ddp_model = DistributedDataParallel(model)
    if dist.get_rank() > 0:
        torch.manual_seed(3 + dist.get_rank())
    for epoch in range(2):
        loader.sampler.set_epoch(epoch)
        for x, y in loader:
            output = ddp_model(x)
            if opts.loss == "plain":
                loss = F.cross_entropy(output, y)
            elif opts.loss == "formula":
                raise SystemExit("this program is for the default of --loss only")
                loss = eval(opts.formula)
            elif opts.loss == "weighed":
                loss = weighed(output, y)
            else:
                raise ValueError(opts.loss)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()


if __name__ == "__main__":
    if "RANK" not in os.environ:
        raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
    dist.init_process_group("gloo")
    main()
    dist.destroy_process_group()
