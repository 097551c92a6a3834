"""ReduceLROnPlateau decides on the mean training loss: a local value would let the rates drift apart."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
train_dl_data = TensorDataset(torch.randn(320, 10), torch.randn(320, 1))
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
train_dl_sampler = DistributedSampler(train_dl_data, num_replicas=hvd.size(), rank=hvd.rank())
train_dl = DataLoader(train_dl_data, batch_size=32 // hvd.size(), sampler=train_dl_sampler)
model = nn.Linear(10, 1)
optimizer = torch.optim.Adam(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, patience=5)
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(20):
    losses = []
    train_dl.sampler.set_epoch(epoch)
    for x, y in train_dl:
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        losses.append(loss.item())
        loss.backward()
        optimizer.step()
    mean_loss = sum(losses) / len(losses)
    total = hvd.allreduce(torch.tensor(mean_loss, dtype=torch.float64), op=hvd.Sum)
    global_mean_loss = total.item() / hvd.size()
    scheduler.step(global_mean_loss)
    if hvd.rank() == 0:
        print(f'Loss at epoch {epoch} was {global_mean_loss:.5f}')
hvd.shutdown()
