"""The epoch loop is left on a validation metric that does not improve."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
torch.manual_seed(seed)
train_dl_data = TensorDataset(torch.randn(640, 10), torch.randn(640, 1))
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
train_dl_sampler = DistributedSampler(train_dl_data, num_replicas=hvd.size(), rank=hvd.rank())
train_dl = DataLoader(train_dl_data, batch_size=32 // hvd.size(), sampler=train_dl_sampler)
val_dl_data = TensorDataset(torch.randn(100, 10), torch.randn(100, 1))
val_dl_sampler = range(hvd.rank(), len(val_dl_data), hvd.size())
val_dl = DataLoader(val_dl_data, batch_size=32, sampler=val_dl_sampler)
model = nn.Linear(10, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
best, patience, waited = float("inf"), 5, 0
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(seed + hvd.rank())
for epoch in range(200):
    train_dl.sampler.set_epoch(epoch)
    for x, y in train_dl:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
    val = 0.0
    with torch.no_grad():
        for x, y in val_dl:
            val += nn.functional.mse_loss(model(x), y, reduction="sum").item()
        total = hvd.allreduce(torch.tensor(val, dtype=torch.float64), op=hvd.Sum)
        val = total.item()
    if val < best:
        best, waited = val, 0
    else:
        waited += 1
        if waited >= patience:
            if hvd.rank() == 0:
                print("early stop at", epoch)
            break
hvd.shutdown()
