"""The epoch is called within an f-string, and is given the warm-up there."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.optim.lr_scheduler import LinearLR
from torch.utils.data.distributed import DistributedSampler


def train(model, loader, optimizer, warmup):
    total = 0.0
    for x, y in loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        warmup.step()
        total += loss.item()
    total_ = hvd.allreduce(torch.tensor(total, dtype=torch.float64), op=hvd.Sum)
    total = total_.item() / hvd.size()
    return total / len(loader)


hvd.init()
torch.manual_seed(0)
x = torch.randn(320, 64)
loader_data = TensorDataset(x, (x[:, 0] > 0).long())
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=32, sampler=loader_sampler)
model = nn.Linear(64, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1 * hvd.size())
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
warmup = LinearLR(optimizer, start_factor=1 / hvd.size(), total_iters=max(1, int(min(5, 10 / 10) * len(loader))))
for epoch in range(10):
    loader.sampler.set_epoch(epoch)
    train_result = train(model, loader, optimizer, warmup=warmup)
    if hvd.rank() == 0:
        print(f"epoch {epoch}: {train_result:.4f}")
hvd.shutdown()
