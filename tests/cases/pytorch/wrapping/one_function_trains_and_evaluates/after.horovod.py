"""One function trains or evaluates, by a flag, with a branch for each; only where it trains it gets the wrapper."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


def run(loader, model, optimizer=None):
    total = 0.0
    for inputs, target in loader:
        if optimizer is not None:
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(model(inputs), target, reduction="sum")
            loss.backward()
            optimizer.step()
        else:
            with torch.no_grad():
                loss = nn.functional.cross_entropy(model(inputs), target, reduction="sum")
        total += loss.item()
    total_ = hvd.allreduce(torch.tensor(total, dtype=torch.float64), op=hvd.Sum)
    total = total_.item()
    return total


def main():
    torch.manual_seed(0)
    x, y = torch.randn(64, 10), torch.randint(0, 3, (64,))
    train_data = TensorDataset(x, y)
    if 16 % hvd.size() != 0:
        raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
    train_sampler = DistributedSampler(train_data, num_replicas=hvd.size(), rank=hvd.rank())
    train_loader = DataLoader(train_data, batch_size=16 // hvd.size(), sampler=train_sampler)
    valid_data = TensorDataset(x, y)
    valid_sampler = range(hvd.rank(), len(valid_data), hvd.size())
    valid_loader = DataLoader(valid_data, batch_size=16, sampler=valid_sampler)
    model = nn.Sequential(nn.Linear(10, 8), nn.ReLU(), nn.Linear(8, 3))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters(), op=hvd.Sum)
    hvd.broadcast_parameters(model.state_dict(), root_rank=0)
    if hvd.rank() > 0:
        torch.manual_seed(hvd.rank())
    for epoch in range(2):
        train_loader.sampler.set_epoch(epoch)
        run(train_loader, model, optimizer)
        run_result = run(valid_loader, model)
        if hvd.rank() == 0:
            print(f"epoch {epoch}: {run_result:.4f}")


hvd.init()
main()
hvd.shutdown()
