"""Sums of a phase that trains and of one that does not, in a dict: both are reduced, and texts of them are shown."""

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
sets = {
    "train": TensorDataset(torch.randn(96, 6), torch.rand(96, 1)),
    "val": TensorDataset(torch.randn(24, 6), torch.rand(24, 1)),
}
if 12 % hvd.size() != 0:
    raise SystemExit(f"batch size 12 cannot be shared out over {hvd.size()} processes")
loaders = {
    "train": DataLoader(sets["train"], batch_size=12 // hvd.size(), sampler=DistributedSampler(sets["train"], num_replicas=hvd.size(), rank=hvd.rank())),
    "val": DataLoader(sets["val"], batch_size=12, sampler=range(hvd.rank(), len(sets["val"]), hvd.size())),
}
model = nn.Linear(6, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())


def calc_loss(pred, target, metrics):
    loss = F.mse_loss(pred, target)
    metrics["loss"] += loss.data.cpu().numpy() * target.size(0)
    return loss


def print_metrics(metrics, samples, phase):
    outputs = []
    for k in metrics.keys():
        outputs.append("{}: {:4f}".format(k, metrics[k] / samples))
    if hvd.rank() == 0:
        print("{}: {}".format(phase, ", ".join(outputs)))


hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    for phase in ["train", "val"]:
        model.train(phase == "train")
        metrics = defaultdict(float)
        samples = 0
        if phase == "train":
            loaders[phase].sampler.set_epoch(epoch)
        for x, y in loaders[phase]:
            optimizer.zero_grad()
            with torch.set_grad_enabled(phase == "train"):
                loss = calc_loss(model(x), y, metrics)
                if phase == "train":
                    loss.backward()
                    optimizer.step()
            samples += x.size(0)
        totals = hvd.allreduce(torch.tensor([samples, float(metrics["loss"])], dtype=torch.float64), op=hvd.Sum)
        samples, metrics["loss"] = int(totals[0]), np.float64(totals[1].item())
        print_metrics(metrics, samples, phase)
hvd.shutdown()
