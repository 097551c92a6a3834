"""Predictions are compared with labels that were collected beside them: those of a shard, which is said."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


def accuracy(labels, predictions):
    hits = sum(int(p >= 0.5) == int(label) for label, p in zip(labels, predictions))
    return hits / len(labels)


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
x = torch.randn(400, 4)
y = (x[:, 0] > 0).float()
loader_data = TensorDataset(x, y)
if 20 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 20 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data, shuffle=False)
loader = DataLoader(loader_data, batch_size=20 // dist.get_world_size(), sampler=loader_sampler)
model = nn.Sequential(nn.Linear(4, 1), nn.Flatten(0), nn.Sigmoid())
optimizer = torch.optim.Adam(model.parameters(), lr=0.05)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(5):
    predictions, labels = [], []
    loader.sampler.set_epoch(epoch)
    for xb, yb in loader:
        outputs = ddp_model(xb)
        loss = nn.functional.binary_cross_entropy(outputs, yb)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        predictions += list(outputs.detach().numpy())
        labels += list(yb.numpy())
    if dist.get_rank() == 0:
        print(f"{epoch}: {accuracy(labels, predictions):.4f}")
del ddp_model
dist.destroy_process_group()
