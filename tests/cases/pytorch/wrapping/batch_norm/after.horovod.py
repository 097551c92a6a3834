"""BatchNorm sees local statistics: converted, with a review; buffers are made equal before the evaluation."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
train_dl_data = TensorDataset(torch.randn(640, 10), torch.randint(0, 3, (640,)))
if 64 % hvd.size() != 0:
    raise SystemExit(f"batch size 64 cannot be shared out over {hvd.size()} processes")
if hvd.size() > 1 and (len(train_dl_data) - 1) % 64 < hvd.size():
    raise SystemExit("the last batch leaves each process one sample, and BatchNorm1d needs two: use drop_last=True")
train_dl_sampler = DistributedSampler(train_dl_data, num_replicas=hvd.size(), rank=hvd.rank())
train_dl = DataLoader(train_dl_data, batch_size=64 // hvd.size(), sampler=train_dl_sampler)
val_dl_data = TensorDataset(torch.randn(100, 10), torch.randint(0, 3, (100,)))
val_dl_sampler = range(hvd.rank(), len(val_dl_data), hvd.size())
val_dl = DataLoader(val_dl_data, batch_size=64, sampler=val_dl_sampler)
model = nn.Sequential(nn.Linear(10, 32), nn.BatchNorm1d(32), nn.ReLU(), nn.Linear(32, 3))
optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(3):
    model.train()
    train_dl.sampler.set_epoch(epoch)
    for x, y in train_dl:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
    hvd.broadcast_parameters(dict(model.named_buffers()), root_rank=0)
    model.eval()
    hits = 0
    with torch.no_grad():
        for x, y in val_dl:
            hits += (model(x).argmax(1) == y).sum().item()
        total = hvd.allreduce(torch.tensor(hits, dtype=torch.float64), op=hvd.Sum)
        hits = int(total)
    if hvd.rank() == 0:
        print(epoch, hits / len(val_dl.dataset))
hvd.shutdown()
