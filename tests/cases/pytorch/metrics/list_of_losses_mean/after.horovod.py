"""Batch losses collected in a list, np.mean at the end of the epoch: the mean is over the ranks' lists together."""
import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
loader_data = TensorDataset(torch.randn(256, 6), torch.randn(256, 2))
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=32 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(6, 2)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())

hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(4):
    losses = []
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        loss = nn.functional.smooth_l1_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    total = hvd.allreduce(torch.tensor(np.mean(losses), dtype=torch.float64), op=hvd.Sum)
    mean_losses = total.item() / hvd.size()
    if hvd.rank() == 0:
        print('epoch %d loss %.4f' % (epoch, mean_losses))
hvd.shutdown()
