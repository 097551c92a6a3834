"""val_loss is a mean of batch means (/ len(loader)): sharded by whole batches, so that it stays exact."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data import BatchSampler
from torch.utils.data.distributed import DistributedSampler


def validate(model, loader, criterion):
    model.eval()
    val_loss = 0.0
    with torch.no_grad():
        for x, y in loader:
            val_loss += criterion(model(x), y).item()
        totals = hvd.allreduce(torch.tensor([val_loss, len(loader)], dtype=torch.float64), op=hvd.Sum)
        val_loss, num_batches = totals[0].item(), int(totals[1])
    model.train()
    return val_loss / num_batches


hvd.init()
torch.manual_seed(0)
train_data = TensorDataset(torch.randn(800, 5), torch.randn(800, 1))
if 40 % hvd.size() != 0:
    raise SystemExit(f"batch size 40 cannot be shared out over {hvd.size()} processes")
train_sampler = DistributedSampler(train_data, num_replicas=hvd.size(), rank=hvd.rank())
train_loader = DataLoader(train_data, batch_size=40 // hvd.size(), sampler=train_sampler)
val_data = TensorDataset(torch.randn(130, 5), torch.randn(130, 1))
val_batches = list(BatchSampler(range(len(val_data)), 40, drop_last=False))[hvd.rank()::hvd.size()]
val_loader = DataLoader(val_data, batch_sampler=val_batches)
model = nn.Linear(5, 1)
criterion = nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(4):
    train_loader.sampler.set_epoch(epoch)
    for x, y in train_loader:
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        optimizer.step()
    validate_result = validate(model, val_loader, criterion)
    if hvd.rank() == 0:
        print('epoch', epoch, 'val loss', validate_result)
hvd.shutdown()
