"""A sum of losses is divided by a number of the command line: it is an average, which is reduced."""
import argparse
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler
hvd.init()
parser = argparse.ArgumentParser()
parser.add_argument("--log-interval", type=int, default=4)
args = parser.parse_args()
torch.manual_seed(0)
x = torch.randn(64, 4)
y = (x.sum(1) > 0).long()
loader_data = TensorDataset(x, y)
if 4 % hvd.size() != 0:
    raise SystemExit(f"batch size 4 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=4 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
criterion = nn.CrossEntropyLoss()
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    total_loss = 0
    loader.sampler.set_epoch(epoch)
    for i, (xb, yb) in enumerate(loader):
        optimizer.zero_grad()
        loss = criterion(model(xb), yb)
        loss.backward()
        optimizer.step()
        total_loss += loss.item()
        if i % args.log_interval == 0:
            cur = total_loss / args.log_interval
            total = hvd.allreduce(torch.tensor(cur, dtype=torch.float64), op=hvd.Sum)
            mean_cur = total.item() / hvd.size()
            if hvd.rank() == 0:
                print(mean_cur)
            total_loss = 0
hvd.shutdown()
