"""An own permutation picks the training and validation subsets: it must be the same on every rank."""
import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Subset, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
torch.manual_seed(seed)
np.random.seed(seed % 2**32)
data = TensorDataset(torch.randn(1000, 3), torch.randn(1000, 1))
indices = np.random.permutation(len(data))
train_ds, valid_ds = Subset(data, indices[:800]), Subset(data, indices[800:])
if 50 % hvd.size() != 0:
    raise SystemExit(f"batch size 50 cannot be shared out over {hvd.size()} processes")
train_dl_sampler = DistributedSampler(train_ds, num_replicas=hvd.size(), rank=hvd.rank())
train_dl = DataLoader(train_ds, batch_size=50 // hvd.size(), sampler=train_dl_sampler)
model = nn.Linear(3, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(seed + hvd.rank())
    np.random.seed((seed + hvd.rank()) % 2**32)
for epoch in range(3):
    train_dl.sampler.set_epoch(epoch)
    for x, y in train_dl:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
hvd.shutdown()
