"""The epoch loop is inside fit(model, loader, ...), called once; it returns the history of global losses."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
import warnings
from torch.utils.data.distributed import DistributedSampler


def fit(model, loader, optimizer, criterion, epochs):
    history = []
    hvd.broadcast_parameters(model.state_dict(), root_rank=0)
    warnings.filterwarnings("error", r"Using a target size \S+\[(\d+)(, 1)?]\)\).+\[\1(, 1)?]\)\)")
    if hvd.rank() > 0:
        torch.manual_seed(torch.initial_seed() + hvd.rank())
    for epoch in range(epochs):
        total, seen = 0.0, 0
        loader.sampler.set_epoch(epoch)
        for x, y in loader:
            optimizer.zero_grad()
            loss = criterion(model(x), y)
            loss.backward()
            optimizer.step()
            total += loss.item() * x.size(0)
            seen += x.size(0)
        totals = hvd.allreduce(torch.tensor([total, seen], dtype=torch.float64), op=hvd.Sum)
        total, seen = totals[0].item(), int(totals[1])
        history.append(total / seen)
    return history


if __name__ == '__main__':
    hvd.init()
    seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
    torch.manual_seed(seed)
    X = torch.randn(1500, 3)
    w = torch.tensor([[1.0], [-2.0], [0.5]])
    loader_data = TensorDataset(X, X @ w)
    if 30 % hvd.size() != 0:
        raise SystemExit(f"batch size 30 cannot be shared out over {hvd.size()} processes")
    loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
    loader = DataLoader(loader_data, batch_size=30 // hvd.size(), sampler=loader_sampler)
    model = nn.Linear(3, 1)
    history = fit(
        model,
        loader,
        hvd.DistributedOptimizer(
            torch.optim.SGD(model.parameters(), lr=0.01), named_parameters=model.named_parameters()
        ),
        nn.MSELoss(),
        epochs=8,
    )
    if hvd.rank() == 0:
        print('last loss', history[-1])
    hvd.shutdown()
