"""Sums of NumPy numbers stay numbers of NumPy: a tensor could not be dumped as JSON, a float has no dtype."""
import json
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
import numpy as np
import os
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
x = torch.randn(320, 6)
y = (x[:, 0] > 0).long()
loader_data = TensorDataset(x, y)
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=32 // hvd.size(), sampler=loader_sampler)
model = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
criterion = nn.CrossEntropyLoss()

history = []
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    total, correct = 0.0, 0
    loader.sampler.set_epoch(epoch)
    for xb, yb in loader:
        output = model(xb)
        loss = criterion(output, yb)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.detach().cpu().numpy() * len(xb)
        correct += (output.argmax(1) == yb).numpy().sum()
    totals = hvd.allreduce(torch.tensor([float(total), float(correct)], dtype=torch.float64), op=hvd.Sum)
    total, correct = np.float64(totals[0].item()), np.int64(totals[1].item())
    history.append(total / 320)
    if hvd.rank() == 0:
        print(epoch, total / 320, total.dtype, correct / 320)
json.dump(history, open("history.json" if hvd.rank() == 0 else os.devnull, "w"))
hvd.shutdown()
