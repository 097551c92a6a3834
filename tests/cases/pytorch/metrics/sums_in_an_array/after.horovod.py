"""Sums are kept in an array, a tensor of integers and a row of averages."""
import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
x = torch.randn(96, 6)
y = (x[:, 0] > 0).long()
train_data = TensorDataset(x, y)
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
train_sampler = DistributedSampler(train_data, num_replicas=hvd.size(), rank=hvd.rank())
train_loader = DataLoader(train_data, batch_size=16 // hvd.size(), sampler=train_sampler)
model = nn.Linear(6, 2)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(3):
    sums = np.zeros(2)
    hits = torch.zeros(2, dtype=torch.long)
    averages = torch.zeros(2)
    train_loader.sampler.set_epoch(epoch)
    for inputs, targets in train_loader:
        optimizer.zero_grad()
        outputs = model(inputs)
        loss = criterion(outputs, targets)
        loss.backward()
        optimizer.step()
        sums += np.array([loss.item() * len(targets), len(targets)])
        right = (outputs.argmax(1) == targets).sum().item()
        hits += torch.tensor([right, len(targets)])
        averages += torch.tensor([loss.item(), outputs.detach().mean().item()])
    total_sums = hvd.allreduce(torch.tensor(sums, dtype=torch.float64), op=hvd.Sum)
    sums = total_sums.numpy().astype(sums.dtype)
    total_hits = hvd.allreduce(hits.detach().clone().double(), op=hvd.Sum)
    hits = total_hits.to(hits.dtype)
    total_averages = hvd.allreduce(averages.detach().clone().double(), op=hvd.Sum)
    averages = (total_averages / hvd.size()).to(averages.dtype)
    averages /= len(train_loader)
    if hvd.rank() == 0:
        print(epoch, sums[0] / sums[1], (hits[0] / hits[1]).item(), averages.tolist(), np.sqrt(sums))
hvd.shutdown()
