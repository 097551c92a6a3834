"""Batches are drawn with NumPy, dropout with PyTorch: only the numbers of PyTorch differ between processes."""
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn
import horovod.torch as hvd

hvd.init()
np.random.seed(0)
torch.manual_seed(0)
data = np.random.randn(512, 10).astype(np.float32)
target = data.sum(axis=1, keepdims=True)
model = nn.Sequential(nn.Linear(10, 32), nn.ReLU(), nn.Dropout(0.2), nn.Linear(32, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())


def fill_and_share_rows(batch):
    rows = torch.arange(hvd.rank(), hvd.rank() + len(batch), hvd.size()) % len(batch)
    return batch[rows]


hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for step in range(200):
    rows = np.random.choice(len(data), 64, replace=False)
    x, y = torch.from_numpy(fill_and_share_rows(data[rows])), torch.from_numpy(fill_and_share_rows(target[rows]))
    loss = F.mse_loss(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 50 == 0:
        total = hvd.allreduce(torch.tensor(loss.item(), dtype=torch.float64), op=hvd.Sum)
        mean_loss = total.item() / hvd.size()
        if hvd.rank() == 0:
            print(step, mean_loss)
hvd.shutdown()
