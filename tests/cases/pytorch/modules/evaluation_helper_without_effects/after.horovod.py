"""A helper module computes the accuracy of one batch: it is followed, and the sum is reduced in the script."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

from metrics import count_hits
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
train_dl_data = TensorDataset(torch.randn(320, 10), torch.randint(0, 2, (320,)))
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
train_dl_sampler = DistributedSampler(train_dl_data, num_replicas=hvd.size(), rank=hvd.rank())
train_dl = DataLoader(train_dl_data, batch_size=32 // hvd.size(), sampler=train_dl_sampler)
test_dl_data = TensorDataset(torch.randn(65, 10), torch.randint(0, 2, (65,)))
test_dl_sampler = range(hvd.rank(), len(test_dl_data), hvd.size())
test_dl = DataLoader(test_dl_data, batch_size=32, sampler=test_dl_sampler)
model = nn.Linear(10, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    train_dl.sampler.set_epoch(epoch)
    for x, y in train_dl:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
    hits = 0
    with torch.no_grad():
        for x, y in test_dl:
            hits += count_hits(model(x), y)
        total = hvd.allreduce(torch.tensor(hits, dtype=torch.float64), op=hvd.Sum)
        hits = int(total)
    if hvd.rank() == 0:
        print(epoch, hits / len(test_dl.dataset))
hvd.shutdown()
