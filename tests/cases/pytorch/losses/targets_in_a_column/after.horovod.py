"""Targets and predictions have as many dimensions where they meet."""

import torch
from sklearn.datasets import load_diabetes
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
x, y = load_diabetes(return_X_y=True)
data = TensorDataset(torch.tensor(x, dtype=torch.float32), torch.tensor(y / 100, dtype=torch.float32))
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
if hvd.size() > 1 and (len(data) - 1) % 32 < hvd.size():
    raise SystemExit("the last batch leaves each process one sample, and squeeze() would drop the dimension of the samples: use drop_last=True")
loader_sampler = DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(data, batch_size=32 // hvd.size(), sampler=loader_sampler)
model = nn.Sequential(nn.Linear(10, 16), nn.ReLU(), nn.Linear(16, 1))
criterion = nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())

hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for inputs, targets in loader:
        optimizer.zero_grad()
        predictions = model(inputs)
        loss = criterion(predictions.squeeze(), targets) + criterion(predictions, targets.unsqueeze(1))
        loss += ((predictions[:, 0] - targets) ** 2 * (1 + targets)).mean() + criterion(predictions.view(-1), targets)
        loss.backward()
        optimizer.step()
hvd.shutdown()
