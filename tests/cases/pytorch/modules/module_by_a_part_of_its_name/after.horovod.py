"""The module of the model is named by an option, in a package of two."""
import argparse
from importlib import import_module

import torch
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

parser = argparse.ArgumentParser()
parser.add_argument("--net", required=True)
args = parser.parse_args()


def main():
    chosen = import_module("nets." + args.net)
    settings = chosen.Settings(6)
    torch.manual_seed(1)
    rows = TensorDataset(torch.randn(64, 6), torch.randn(64, 1))
    if settings.batch_size % hvd.size() != 0:
        raise SystemExit(f"batch size {settings.batch_size} cannot be shared out over {hvd.size()} processes")
    loader_sampler = DistributedSampler(rows, num_replicas=hvd.size(), rank=hvd.rank())
    loader = DataLoader(rows, batch_size=settings.batch_size // hvd.size(), sampler=loader_sampler)
    settings.epochs = 2
    model = chosen.Network(settings)
    optimizer = torch.optim.SGD(model.parameters(), lr=settings.rate)
    optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
    hvd.broadcast_parameters(model.state_dict(), root_rank=0)
    if hvd.rank() > 0:
        torch.manual_seed(1 + hvd.rank())
    for epoch in range(settings.epochs):
        loader.sampler.set_epoch(epoch)
        for x, y in loader:
            loss = torch.nn.functional.mse_loss(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()


if __name__ == "__main__":
    hvd.init()
    main()
    hvd.shutdown()
