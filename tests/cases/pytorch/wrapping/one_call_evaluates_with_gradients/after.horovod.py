"""The function that makes the loss is called in an evaluation with gradients on: DDP would wait for a backward pass, so it wraps nothing."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
x = torch.randn(320, 8)
y = x.sum(1, keepdim=True)
train_data = TensorDataset(x[:256], y[:256])
val_data = TensorDataset(x[256:], y[256:])
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
if hvd.size() > 1 and (len(train_data) - 1) % 16 < hvd.size():
    raise SystemExit("the last batch leaves each process one sample, and BatchNorm1d needs two: use drop_last=True")
val_sampler = range(hvd.rank(), len(val_data), hvd.size())
train_sampler = DistributedSampler(train_data, num_replicas=hvd.size(), rank=hvd.rank())
train, val = DataLoader(train_data, batch_size=16 // hvd.size(), sampler=train_sampler), DataLoader(val_data, batch_size=16, sampler=val_sampler)
model = nn.Sequential(nn.Linear(8, 8), nn.BatchNorm1d(8), nn.Linear(8, 1))
optim = torch.optim.Adam(model.parameters(), lr=0.1)
optim = hvd.DistributedOptimizer(optim, named_parameters=model.named_parameters(), op=hvd.Sum)

def loss_of(batch):
    x, y = batch
    return nn.functional.mse_loss(model(x), y, reduction="sum")

hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(3):
    model.train()
    train.sampler.set_epoch(epoch)
    for batch in train:
        loss = loss_of(batch)
        optim.zero_grad()
        loss.backward()
        optim.step()
    hvd.broadcast_parameters(dict(model.named_buffers()), root_rank=0)
    model.eval()
    total = 0.
    for batch in val:
        total += loss_of(batch).item()
    total_ = hvd.allreduce(torch.tensor(total, dtype=torch.float64), op=hvd.Sum)
    total = total_.item()
    if hvd.rank() == 0:
        print(epoch, total / len(val.dataset))
hvd.shutdown()
