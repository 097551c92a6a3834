"""What is accumulated is no sum or mean over the samples: squares of losses, sums of losses times sizes."""
import math
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
x = torch.randn(96, 6)
y = x[:, :1] - x[:, 1:2]
train_data = TensorDataset(x, y)
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
train_sampler = DistributedSampler(train_data, num_replicas=hvd.size(), rank=hvd.rank())
train_loader = DataLoader(train_data, batch_size=16 // hvd.size(), sampler=train_sampler)
model = nn.Linear(6, 1)
criterion = nn.MSELoss(reduction="sum")
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters(), op=hvd.Sum)
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(3):
    total, count, squares, ratios = 0.0, 0, 0.0, 0.0
    train_loader.sampler.set_epoch(epoch)
    for step, (inputs, targets) in enumerate(train_loader):
        optimizer.zero_grad()
        loss = criterion(model(inputs), targets)
        loss.backward()
        optimizer.step()
        total_ = hvd.allreduce(torch.tensor(loss.item(), dtype=torch.float64), op=hvd.Sum)
        total_loss = total_.item()
        squares += total_loss ** 2
        totals = hvd.allreduce(torch.tensor([loss.item(), inputs.size(0)], dtype=torch.float64), op=hvd.Sum)
        total_loss, total_inputs = totals[0].item(), int(totals[1])
        total += total_loss * total_inputs
        count += inputs.size(0)
        if step > 1:
            totals = hvd.allreduce(
                torch.tensor([loss.item(), targets.abs().sum().item()], dtype=torch.float64), op=hvd.Sum
            )
            total_loss, total_abs = totals.tolist()
            ratios = ratios + total_loss / total_abs
    total_ = hvd.allreduce(torch.tensor(count, dtype=torch.float64), op=hvd.Sum)
    count = int(total_)
    if hvd.rank() == 0:
        print(epoch, total / count, math.sqrt(squares / len(train_loader)), ratios)
hvd.shutdown()
