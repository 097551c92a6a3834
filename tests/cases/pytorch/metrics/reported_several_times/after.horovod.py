"""The same values are reported twice in a row, and once more after one of them has changed."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
import os
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
loader_data = TensorDataset(torch.randn(320, 10), torch.randn(320, 1))
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=32 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(10, 1)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
losses = open("losses.txt" if hvd.rank() == 0 else os.devnull, "w")
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(4):
    history = []
    loader.sampler.set_epoch(epoch)
    for step, (x, y) in enumerate(loader):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        history.append(loss.item())
        if step % 5 == 0:
            error = (model(x) - y).abs().mean().item()
            totals = hvd.allreduce(torch.tensor([loss.item(), error], dtype=torch.float64), op=hvd.Sum)
            mean_loss, mean_error = totals[0].item() / hvd.size(), totals[1].item() / hvd.size()
            if hvd.rank() == 0:
                print(step, mean_loss, mean_error)
            losses.write(f"{mean_loss} {mean_error}\n")
            if hvd.rank() == 0:
                print(mean_error)
            error = error * 100
            total = hvd.allreduce(torch.tensor(error, dtype=torch.float64), op=hvd.Sum)
            mean_error = total.item() / hvd.size()
            if hvd.rank() == 0:
                print(mean_error)
    mean_history = hvd.allreduce(torch.tensor(history, dtype=torch.float64), op=hvd.Sum)
    mean_history = (mean_history / hvd.size()).tolist()
    if hvd.rank() == 0:
        print(mean_history)
    history.append(0.0)
    mean_history = hvd.allreduce(torch.tensor(history, dtype=torch.float64), op=hvd.Sum)
    mean_history = (mean_history / hvd.size()).tolist()
    if hvd.rank() == 0:
        print(mean_history)
losses.close()
hvd.shutdown()
