"""loss.item() * inputs.size(0), over len(dataset): a sum over samples, exact once it is reduced."""
import torch
import torch.nn as nn
from sklearn.datasets import load_diabetes
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
X, y = load_diabetes(return_X_y=True)
dataset = TensorDataset(torch.tensor(X).float(), torch.tensor(y).float().unsqueeze(1) / 100)
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(dataset, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(dataset, batch_size=32 // hvd.size(), sampler=loader_sampler)
model = nn.Sequential(nn.Linear(10, 32), nn.ReLU(), nn.Linear(32, 1))
criterion = nn.MSELoss()
optimizer = torch.optim.Adam(model.parameters(), lr=0.003)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())

hvd.broadcast_parameters(model.state_dict(), root_rank=0)
for epoch in range(20):
    epoch_loss = 0.0
    loader.sampler.set_epoch(epoch)
    for inputs, targets in loader:
        optimizer.zero_grad()
        loss = criterion(model(inputs), targets)
        loss.backward()
        optimizer.step()
        epoch_loss += loss.item() * inputs.size(0)
    total = hvd.allreduce(torch.tensor(epoch_loss, dtype=torch.float64), op=hvd.Sum)
    epoch_loss = total.item()
    epoch_loss = epoch_loss / loader.sampler.total_size
    if hvd.rank() == 0:
        print('epoch', epoch, 'loss', round(epoch_loss, 4))
hvd.shutdown()
