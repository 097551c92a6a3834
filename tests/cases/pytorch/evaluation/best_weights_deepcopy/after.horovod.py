"""The best weights are kept in memory (copy.deepcopy of the state dict) and loaded back at the end."""
import copy
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
train_dl_data = TensorDataset(torch.randn(400, 6), torch.randn(400, 1))
if 20 % hvd.size() != 0:
    raise SystemExit(f"batch size 20 cannot be shared out over {hvd.size()} processes")
train_dl_sampler = DistributedSampler(train_dl_data, num_replicas=hvd.size(), rank=hvd.rank())
train_dl = DataLoader(train_dl_data, batch_size=20 // hvd.size(), sampler=train_dl_sampler)
val_dl_data = TensorDataset(torch.randn(60, 6), torch.randn(60, 1))
val_dl_sampler = range(hvd.rank(), len(val_dl_data), hvd.size())
val_dl = DataLoader(val_dl_data, batch_size=20, sampler=val_dl_sampler)
model = nn.Linear(6, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
best_loss = float('inf')
best_model_wts = copy.deepcopy(model.state_dict())

hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(5):
    train_dl.sampler.set_epoch(epoch)
    for x, y in train_dl:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
    sse = 0.0
    with torch.no_grad():
        for x, y in val_dl:
            sse += nn.functional.mse_loss(model(x), y, reduction='sum').item()
        total = hvd.allreduce(torch.tensor(sse, dtype=torch.float64), op=hvd.Sum)
        sse = total.item()
    if sse < best_loss:
        best_loss = sse
        best_model_wts = copy.deepcopy(model.state_dict())

model.load_state_dict(best_model_wts)
if hvd.rank() == 0:
    torch.save(model.state_dict(), 'best_model.pt')
    print('best sse', best_loss)
hvd.shutdown()
