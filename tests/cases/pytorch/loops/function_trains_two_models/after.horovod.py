"""A function trains one model after another: each is wrapped, and the loader goes on to a new order."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


def train(model, loader, optimizer, epochs):
    criterion = nn.CrossEntropyLoss()
    hvd.broadcast_parameters(model.state_dict(), root_rank=0)
    if hvd.rank() > 0:
        torch.manual_seed(torch.randint(2**31, ()).item() + hvd.rank())
    for epoch in range(epochs):
        model.train()
        total = 0.0
        loader.sampler.set_epoch(loader.sampler.epoch + 1)
        for xb, yb in loader:
            optimizer.zero_grad()
            loss = criterion(model(xb), yb)
            loss.backward()
            hvd.grouped_allreduce_(
                [p.grad for group in optimizer.param_groups for p in group["params"] if p.grad is not None]
            )
            optimizer.step()
            total += loss.item() * len(xb)
        total_ = hvd.allreduce(torch.tensor(total, dtype=torch.float64), op=hvd.Sum)
        total = total_.item()
        if hvd.rank() == 0:
            print(f"epoch {epoch}: {total / loader.sampler.total_size:.4f}")


hvd.init()
torch.manual_seed(0)
x = torch.randn(64, 4)
y = (x[:, 0] > 0).long()
loader_data = TensorDataset(x, y)
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=16 // hvd.size(), sampler=loader_sampler)

small = nn.Linear(4, 2)
train(small, loader, torch.optim.SGD(small.parameters(), lr=0.1), 3)
large = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 2))
train(large, loader, torch.optim.Adam(large.parameters(), lr=0.01), 2)
hvd.shutdown()
