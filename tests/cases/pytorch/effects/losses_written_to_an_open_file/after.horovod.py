"""What is written to an open file is reduced, like what is printed."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
import os
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
data = TensorDataset(torch.randn(640, 8), torch.randint(0, 2, (640,)))
if 64 % hvd.size() != 0:
    raise SystemExit(f"batch size 64 cannot be shared out over {hvd.size()} processes")
if hvd.size() > 1 and (len(data) - 1) % 64 < hvd.size():
    raise SystemExit("the last batch leaves each process one sample, and BatchNorm1d needs two: use drop_last=True")
loader_sampler = DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(data, batch_size=64 // hvd.size(), sampler=loader_sampler)
model = nn.Sequential(nn.Linear(8, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Linear(16, 2))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
log = open("train.csv" if hvd.rank() == 0 else os.devnull, "w")
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        out = model(x)
        loss = criterion(out, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        err = 100.0 * out.max(1)[1].ne(y).sum() / len(y)
        totals = hvd.allreduce(torch.tensor([loss.item(), float(err)], dtype=torch.float64), op=hvd.Sum)
        mean_loss, mean_err = totals[0].item() / hvd.size(), (totals[1] / hvd.size()).float()
        if hvd.rank() == 0:
            print("loss {:.4f} error {:.2f}".format(mean_loss, mean_err))
        log.write("{},{}\n".format(mean_loss, mean_err))
log.close()
hvd.shutdown()
