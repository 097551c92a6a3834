"""The losses of a pass are put into one tensor, of which the mean decides."""
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
criterion = nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
best = float("inf")
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(3):
    losses = []
    train_loader.sampler.set_epoch(epoch)
    for inputs, targets in train_loader:
        optimizer.zero_grad()
        loss = criterion(model(inputs), targets)
        loss.backward()
        optimizer.step()
        losses.append(loss.detach())
    mean = torch.stack(losses).mean().item()
    totals = hvd.allreduce(torch.tensor([mean, best], dtype=torch.float64), op=hvd.Sum)
    mean_value, mean_best = totals[0].item() / hvd.size(), totals[1].item() / hvd.size()
    if mean_value < mean_best:
        best = mean
        if hvd.rank() == 0:
            torch.save(model.state_dict(), "best.pt")
    total = hvd.allreduce(torch.tensor(mean, dtype=torch.float64), op=hvd.Sum)
    mean_value = total.item() / hvd.size()
    mean_losses = hvd.allreduce(torch.tensor(losses, dtype=torch.float64), op=hvd.Sum)
    mean_losses = list((mean_losses / hvd.size()).float())
    if hvd.rank() == 0:
        print(epoch, mean_value, torch.stack(mean_losses).max().item())
hvd.shutdown()
