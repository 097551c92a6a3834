"""Predictions are compared with labels that were collected beside them: those of a shard, which is said."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


def accuracy(labels, predictions):
    hits = sum(int(p >= 0.5) == int(label) for label, p in zip(labels, predictions))
    return hits / len(labels)


hvd.init()
torch.manual_seed(0)
x = torch.randn(400, 4)
y = (x[:, 0] > 0).float()
loader_data = TensorDataset(x, y)
if 20 % hvd.size() != 0:
    raise SystemExit(f"batch size 20 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank(), shuffle=False)
loader = DataLoader(loader_data, batch_size=20 // hvd.size(), sampler=loader_sampler)
model = nn.Sequential(nn.Linear(4, 1), nn.Flatten(0), nn.Sigmoid())
optimizer = torch.optim.Adam(model.parameters(), lr=0.05)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(5):
    predictions, labels = [], []
    loader.sampler.set_epoch(epoch)
    for xb, yb in loader:
        outputs = model(xb)
        loss = nn.functional.binary_cross_entropy(outputs, yb)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        predictions += list(outputs.detach().numpy())
        labels += list(yb.numpy())
    if hvd.rank() == 0:
        print(f"{epoch}: {accuracy(labels, predictions):.4f}")
hvd.shutdown()
