"""An epoch is tried outside the loop over epochs, then a model is made anew: each is wrapped where it is made."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


def one_step(model, a, b, optimizer):
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(model(a), b)
    loss.backward()
    optimizer.synchronize()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    with optimizer.skip_synchronize():
        optimizer.step()
    return loss.item()


def train_epoch(model, loader, optimizer):
    model.train()
    total = 0.0
    loader.sampler.set_epoch(loader.sampler.epoch + 1)
    for a, b in loader:
        total += one_step(model, a, b, optimizer) * len(a)
    total_ = hvd.allreduce(torch.tensor(total, dtype=torch.float64), op=hvd.Sum)
    total = total_.item()
    return total / loader.sampler.total_size


def fresh():
    model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
    return model, hvd.DistributedOptimizer(torch.optim.SGD(model.parameters(), lr=0.1))


def main():
    torch.manual_seed(0)
    x = torch.randn(64, 4)
    loader_data = TensorDataset(x, x.sum(1, keepdim=True))
    if 16 % hvd.size() != 0:
        raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
    loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
    loader = DataLoader(loader_data, batch_size=16 // hvd.size(), sampler=loader_sampler)
    model, optimizer = fresh()
    hvd.broadcast_parameters(model.state_dict(), root_rank=0)
    if hvd.rank() > 0:
        torch.manual_seed(torch.randint(2**31, ()).item() + hvd.rank())
    _ = train_epoch(model, loader, optimizer)
    if hvd.rank() == 0:
        print("tried", sum(weight.abs().sum().item() for weight in model.parameters()))
    torch.set_rng_state(hvd.broadcast(torch.get_rng_state(), root_rank=0))
    model, optimizer = fresh()
    hvd.broadcast_parameters(model.state_dict(), root_rank=0)
    if hvd.rank() > 0:
        torch.manual_seed(torch.randint(2**31, ()).item() + hvd.rank())
    for epoch in range(3):
        loss = train_epoch(model, loader, optimizer)
        if hvd.rank() == 0:
            print(epoch, loss)
    if hvd.rank() == 0:
        torch.save(model.state_dict(), "model.pt")


hvd.init()
main()
hvd.shutdown()
