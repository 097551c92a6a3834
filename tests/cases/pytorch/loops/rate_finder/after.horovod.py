"""A rate finder trains a deep copy of the model first, with an optimizer of its own."""
import copy
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
torch.manual_seed(seed)
loader_data = TensorDataset(torch.randn(640, 10), torch.randn(640, 1))
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=32 // hvd.size(), sampler=loader_sampler)
criterion = nn.MSELoss()


def find_rate(model):
    trial = copy.deepcopy(model)
    optimizer = torch.optim.SGD(trial.parameters(), lr=1e-6)
    best_rate, best_loss, rate = 1e-6, float("inf"), 1e-6
    hvd.broadcast_parameters(trial.state_dict(), root_rank=0)
    if hvd.rank() > 0:
        torch.manual_seed(torch.initial_seed() + hvd.rank())
    loader.sampler.set_epoch(loader.sampler.epoch + 1)
    for x, y in loader:
        optimizer.param_groups[0]["lr"] = rate
        optimizer.zero_grad()
        loss = criterion(trial(x), y)
        loss.backward()
        hvd.grouped_allreduce_(
            [p.grad for group in optimizer.param_groups for p in group["params"] if p.grad is not None]
        )
        optimizer.step()
        totals = hvd.allreduce(torch.tensor([loss.item(), best_loss], dtype=torch.float64), op=hvd.Sum)
        mean_loss, mean_best_loss = totals[0].item() / hvd.size(), totals[1].item() / hvd.size()
        if mean_loss < mean_best_loss:
            best_rate, best_loss = rate, loss.item()
        rate *= 1.5
    return best_rate / 10


model = nn.Linear(10, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=find_rate(model))
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
for epoch in range(3):
    loader.sampler.set_epoch(loader.sampler.epoch + 1)
    for x, y in loader:
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        hvd.grouped_allreduce_(
            [p.grad for group in optimizer.param_groups for p in group["params"] if p.grad is not None]
        )
        optimizer.step()
hvd.shutdown()
