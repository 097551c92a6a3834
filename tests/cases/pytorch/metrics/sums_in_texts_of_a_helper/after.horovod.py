"""A helper adds sums to a dict, and another puts them into texts that are shown: they are reduced after the pass."""

from collections import defaultdict
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
import numpy as np
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
data = TensorDataset(torch.randn(96, 6), torch.rand(96, 1))
if 12 % hvd.size() != 0:
    raise SystemExit(f"batch size 12 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(data, batch_size=12 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(6, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())


def calc_loss(pred, target, metrics):
    loss = F.mse_loss(pred, target)
    metrics["loss"] += loss.data.cpu().numpy() * target.size(0)
    return loss


def print_metrics(metrics, samples):
    outputs = []
    for k in metrics.keys():
        outputs.append("{}: {:4f}".format(k, metrics[k] / samples))
    if hvd.rank() == 0:
        print(", ".join(outputs))


hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    metrics = defaultdict(float)
    samples = 0
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        loss = calc_loss(model(x), y, metrics)
        loss.backward()
        optimizer.step()
        samples += x.size(0)
    totals = hvd.allreduce(torch.tensor([samples, float(metrics["loss"])], dtype=torch.float64), op=hvd.Sum)
    samples, metrics["loss"] = int(totals[0]), np.float64(totals[1].item())
    print_metrics(metrics, samples)
hvd.shutdown()
