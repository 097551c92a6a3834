"""Epoch losses are kept in lists, plotted once at the end: the reduced values enter the lists, rank 0 draws."""
import matplotlib.pyplot as plt
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data import BatchSampler
from torch.utils.data.distributed import DistributedSampler

hvd.init()
x = torch.linspace(0, 6, 700).unsqueeze(1)
data = TensorDataset(x, torch.sin(x))
if 35 % hvd.size() != 0:
    raise SystemExit(f"batch size 35 cannot be shared out over {hvd.size()} processes")
train_dl_sampler = DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank())
train_dl = DataLoader(data, batch_size=35 // hvd.size(), sampler=train_dl_sampler)
torch.manual_seed(0)
val_x = torch.rand(100, 1) * 6
val_dl_data = TensorDataset(val_x, torch.sin(val_x))
val_dl_batches = list(BatchSampler(range(len(val_dl_data)), 50, drop_last=False))[hvd.rank()::hvd.size()]
val_dl = DataLoader(val_dl_data, batch_sampler=val_dl_batches)
model = nn.Sequential(nn.Linear(1, 32), nn.Tanh(), nn.Linear(32, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
criterion = nn.MSELoss()
train_losses, val_losses = [], []

hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(40):
    model.train()
    batch_losses = 0.0
    train_dl.sampler.set_epoch(epoch)
    for xb, yb in train_dl:
        optimizer.zero_grad()
        loss = criterion(model(xb), yb)
        loss.backward()
        optimizer.step()
        batch_losses += loss.item()
    total = hvd.allreduce(torch.tensor(batch_losses, dtype=torch.float64), op=hvd.Sum)
    batch_losses = total.item() / hvd.size()
    train_losses.append(batch_losses / len(train_dl))
    model.eval()
    val_loss = 0.0
    with torch.no_grad():
        for xb, yb in val_dl:
            val_loss += criterion(model(xb), yb).item()
        totals = hvd.allreduce(torch.tensor([val_loss, len(val_dl)], dtype=torch.float64), op=hvd.Sum)
        val_loss, num_batches = totals[0].item(), int(totals[1])
    val_losses.append(val_loss / num_batches)

if hvd.rank() == 0:
    plt.plot(train_losses, label='train')
    plt.plot(val_losses, label='validation')
    plt.legend()
    plt.savefig('losses.png')
    plt.show()
hvd.shutdown()
