"""Batches are drawn with the numbers that dropout is drawn with: these have to stay equal on all processes."""
import torch
import torch.nn.functional as F
from torch import nn
import horovod.torch as hvd

hvd.init()
torch.manual_seed(0)
data, target = torch.randn(512, 10), torch.randn(512, 1)
model = nn.Sequential(nn.Linear(10, 32), nn.ReLU(), nn.Dropout(0.2), nn.Linear(32, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())


def fill_and_share_rows(batch):
    rows = torch.arange(hvd.rank(), hvd.rank() + len(batch), hvd.size()) % len(batch)
    return batch[rows]


hvd.broadcast_parameters(model.state_dict(), root_rank=0)
for step in range(200):
    rows = torch.randint(0, len(data), (64,))
    loss = F.mse_loss(model(fill_and_share_rows(data[rows])), fill_and_share_rows(target[rows]))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
total = hvd.allreduce(torch.tensor(loss.item(), dtype=torch.float64), op=hvd.Sum)
mean_loss = total.item() / hvd.size()
if hvd.rank() == 0:
    print(mean_loss)
hvd.shutdown()
