"""Two functions train, and either of them may be what fire calls."""

import fire
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


def train(epochs=3, batch_size=16, lr=0.1):
    torch.manual_seed(0)
    data = TensorDataset(torch.randn(64, 8), torch.randint(0, 3, (64,)))
    if batch_size % hvd.size() != 0:
        raise SystemExit(f"batch size {batch_size} cannot be shared out over {hvd.size()} processes")
    loader_sampler = DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank())
    loader = DataLoader(data, batch_size=batch_size // hvd.size(), sampler=loader_sampler)
    model = nn.Linear(8, 3)
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=lr)
    optimizer = hvd.DistributedOptimizer(optimizer)
    hvd.broadcast_parameters(model.state_dict(), root_rank=0)
    if hvd.rank() > 0:
        torch.manual_seed(hvd.rank())
    for epoch in range(epochs):
        total = 0.0
        loader.sampler.set_epoch(epoch)
        for x, y in loader:
            optimizer.zero_grad()
            loss = criterion(model(x), y)
            loss.backward()
            optimizer.step()
            total += loss.item()
        total_ = hvd.allreduce(torch.tensor(total, dtype=torch.float64), op=hvd.Sum)
        total = total_.item() / hvd.size()
        if hvd.rank() == 0:
            print(epoch, total / len(loader))


def tune(epochs=3, batch_size=16, lr=0.01):
    torch.manual_seed(0)
    data = TensorDataset(torch.randn(64, 8), torch.randint(0, 3, (64,)))
    if batch_size % hvd.size() != 0:
        raise SystemExit(f"batch size {batch_size} cannot be shared out over {hvd.size()} processes")
    loader_sampler = DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank())
    loader = DataLoader(data, batch_size=batch_size // hvd.size(), sampler=loader_sampler)
    model = nn.Linear(8, 3)
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=lr)
    optimizer = hvd.DistributedOptimizer(optimizer)
    hvd.broadcast_parameters(model.state_dict(), root_rank=0)
    if hvd.rank() > 0:
        torch.manual_seed(hvd.rank())
    for epoch in range(epochs):
        total = 0.0
        loader.sampler.set_epoch(epoch)
        for x, y in loader:
            optimizer.zero_grad()
            loss = criterion(model(x), y)
            loss.backward()
            optimizer.step()
            total += loss.item()
        total_ = hvd.allreduce(torch.tensor(total, dtype=torch.float64), op=hvd.Sum)
        total = total_.item() / hvd.size()
        if hvd.rank() == 0:
            print(epoch, total / len(loader))


if __name__ == "__main__":
    hvd.init()
    seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
    torch.manual_seed(seed)
    fire.Fire()
    hvd.shutdown()
