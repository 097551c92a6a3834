"""The module of the model is named by an option, in a package of two."""
import argparse
from importlib import import_module

import torch
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

parser = argparse.ArgumentParser()
parser.add_argument("--net", required=True)
args = parser.parse_args()


def main():
    chosen = import_module("nets." + args.net)
    settings = chosen.Settings(6)
    torch.manual_seed(1)
    rows = TensorDataset(torch.randn(64, 6), torch.randn(64, 1))
    if settings.batch_size % dist.get_world_size() != 0:
        raise SystemExit(f"batch size {settings.batch_size} cannot be shared out over {dist.get_world_size()} processes")
    loader_sampler = DistributedSampler(rows)
    loader = DataLoader(rows, batch_size=settings.batch_size // dist.get_world_size(), sampler=loader_sampler)
    settings.epochs = 2
    model = chosen.Network(settings)
    optimizer = torch.optim.SGD(model.parameters(), lr=settings.rate)
    ddp_model = DistributedDataParallel(model)
    if dist.get_rank() > 0:
        torch.manual_seed(1 + dist.get_rank())
    for epoch in range(settings.epochs):
        loader.sampler.set_epoch(epoch)
        for x, y in loader:
            loss = torch.nn.functional.mse_loss(ddp_model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()


if __name__ == "__main__":
    if "RANK" not in os.environ:
        raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
    dist.init_process_group("gloo")
    main()
    dist.destroy_process_group()
