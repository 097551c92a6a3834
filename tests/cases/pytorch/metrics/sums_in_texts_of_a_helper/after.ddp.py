"""A helper adds sums to a dict, and another puts them into texts that are shown: they are reduced after the pass."""

from collections import defaultdict
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import numpy as np
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
data = TensorDataset(torch.randn(96, 6), torch.rand(96, 1))
if 12 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 12 cannot be shared out over {dist.get_world_size()} processes")
loader = DataLoader(data, batch_size=12 // dist.get_world_size(), sampler=DistributedSampler(data))
model = nn.Linear(6, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def calc_loss(pred, target, metrics):
    loss = F.mse_loss(pred, target)
    metrics["loss"] += loss.data.cpu().numpy() * target.size(0)
    return loss


def print_metrics(metrics, samples):
    outputs = []
    for k in metrics.keys():
        outputs.append("{}: {:4f}".format(k, metrics[k] / samples))
    if dist.get_rank() == 0:
        print(", ".join(outputs))


ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    metrics = defaultdict(float)
    samples = 0
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        loss = calc_loss(ddp_model(x), y, metrics)
        loss.backward()
        optimizer.step()
        samples += x.size(0)
    totals = torch.tensor([samples, float(metrics["loss"])], dtype=torch.float64)
    dist.all_reduce(totals)
    samples, metrics["loss"] = int(totals[0]), np.float64(totals[1].item())
    print_metrics(metrics, samples)
del ddp_model
dist.destroy_process_group()
