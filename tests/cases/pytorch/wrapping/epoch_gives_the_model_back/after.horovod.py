"""An epoch is tried first by a function that gives the model back: the bare one, which is wrapped anew."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


def train_epoch(model, loader, optimizer):
    loader.sampler.set_epoch(loader.sampler.epoch + 1)
    for a, b in loader:
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(a), b)
        loss.backward()
        optimizer.step()
    return model


def main():
    torch.manual_seed(0)
    x = torch.randn(64, 4)
    loader_data = TensorDataset(x, x.sum(1, keepdim=True))
    if 16 % hvd.size() != 0:
        raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
    loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
    loader = DataLoader(loader_data, batch_size=16 // hvd.size(), sampler=loader_sampler)
    model = nn.Linear(4, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    optimizer = hvd.DistributedOptimizer(optimizer)
    hvd.broadcast_parameters(model.state_dict(), root_rank=0)
    if hvd.rank() > 0:
        torch.manual_seed(hvd.rank())
    model = train_epoch(model, loader, optimizer)
    hvd.broadcast_parameters(model.state_dict(), root_rank=0)
    for _ in range(3):
        train_epoch(model, loader, optimizer)
    if hvd.rank() == 0:
        torch.save(model.state_dict(), "model.pt")


hvd.init()
main()
hvd.shutdown()
