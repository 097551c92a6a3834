"""Two functions, one loader each: each is changed at its own DataLoader call."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


def train_dataloader(n):
    xs = torch.randn(n, 6)
    loader_data = TensorDataset(xs, xs.sum(1, keepdim=True))
    if 16 % hvd.size() != 0:
        raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
    return DataLoader(loader_data, batch_size=16 // hvd.size(), sampler=DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank()))


def val_dataloader(n):
    xs = torch.randn(n, 6)
    loader_data = TensorDataset(xs, xs.sum(1, keepdim=True))
    return DataLoader(loader_data, batch_size=16, sampler=range(hvd.rank(), len(loader_data), hvd.size()))


def run():
    train, val = train_dataloader(800), val_dataloader(123)
    model = nn.Linear(6, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.02)
    optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
    hvd.broadcast_parameters(model.state_dict(), root_rank=0)
    if hvd.rank() > 0:
        torch.manual_seed(torch.initial_seed() + hvd.rank())
    for epoch in range(6):
        train.sampler.set_epoch(epoch)
        for x, y in train:
            optimizer.zero_grad()
            nn.functional.mse_loss(model(x), y).backward()
            optimizer.step()
        sse = 0.0
        with torch.no_grad():
            for x, y in val:
                sse += ((model(x) - y) ** 2).sum().item()
            total = hvd.allreduce(torch.tensor(sse, dtype=torch.float64), op=hvd.Sum)
            sse = total.item()
        if hvd.rank() == 0:
            print(epoch, "val mse", sse / len(val.dataset))


hvd.init()
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
torch.manual_seed(seed)
run()
hvd.shutdown()
