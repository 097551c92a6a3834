"""Losses are added up by functions and methods, which are operators by other names."""

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
features = torch.randn(64, 4)
batch_size = 16
loader_data = TensorDataset(features, (features[:, 0] > 0).long())
if batch_size % hvd.size() != 0:
    raise SystemExit(f"batch size {batch_size} cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=batch_size // hvd.size(), sampler=loader_sampler)
model = nn.Linear(4, 2)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(3):
    weighted, total, mean = torch.tensor(0.0), torch.tensor(0.0), 0.0
    loader.sampler.set_epoch(epoch)
    for inputs, labels in loader:
        optimizer.zero_grad()
        loss = criterion(model(inputs), labels)
        loss.backward()
        optimizer.step()
        weighted = torch.add(weighted, loss.detach(), alpha=inputs.size(0))
        total = total.add(torch.mul(loss.detach(), len(labels)))
        mean = np.add(mean, loss.item())
    totals = hvd.allreduce(torch.tensor([float(weighted), float(total), mean], dtype=torch.float64), op=hvd.Sum)
    weighted, total, mean = totals[0].float(), totals[1].float(), np.float64(totals[2].item() / hvd.size())
    if hvd.rank() == 0:
        print(
            epoch,
            weighted.item() / loader.sampler.total_size,
            total.item() / loader.sampler.total_size,
            mean / len(loader),
        )
hvd.shutdown()
