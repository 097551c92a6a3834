"""Hits are counted by every process for itself, as single batches are printed: rank 0's verdict lets them wait."""

import os
import shutil

import torch
from torch import nn, optim
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
inputs = torch.rand(64, 3)
data = TensorDataset(inputs, (inputs[:, 0] > 0.5).long())
if 8 % hvd.size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(data, batch_size=8 // hvd.size(), sampler=loader_sampler)
held_out = DataLoader(TensorDataset(inputs, (inputs[:, 1] > 0.5).long()), batch_size=8)
model = nn.Linear(3, 2)
optimizer = optim.SGD(model.parameters(), lr=0.5)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())


def evaluate():
    model.eval()
    hits = 0
    with torch.no_grad():
        for features, labels in held_out:
            hits += (model(features).argmax(1) == labels).sum().item()
            if hvd.rank() == 0:
                print(hits)
    return hits / len(held_out.dataset)


best = 0
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(3):
    model.train()
    loader.sampler.set_epoch(epoch)
    for features, labels in loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(features), labels)
        loss.backward()
        optimizer.step()
    accuracy = evaluate()
    is_best = accuracy > best
    best = max(accuracy, best)
    if hvd.rank() == 0:
        torch.save(model.state_dict(), f"latest_{epoch}.pt")
    if hvd.broadcast_object(is_best):
        hvd.barrier()
        if hvd.rank() == 0:
            shutil.copyfile(f"latest_{epoch}.pt", "best.pt")
        hvd.barrier()
        if hvd.rank() == 0:
            os.remove(f"latest_{epoch}.pt")
hvd.barrier()
model.load_state_dict(torch.load("best.pt"))
hvd.shutdown()
