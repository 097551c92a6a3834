"""A helper adds to the sums in a defaultdict, of a phase that trains and one that does not; a text is joined of them."""
from collections import defaultdict

import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
import numpy as np
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
x = torch.randn(160, 6)
y = (x[:, :1] > 0).float()
train_data = TensorDataset(x[:128], y[:128])
val_data = TensorDataset(x[128:], y[128:])
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
loaders = {
    "train": DataLoader(train_data, batch_size=16 // hvd.size(), sampler=DistributedSampler(train_data, num_replicas=hvd.size(), rank=hvd.rank())),
    "val": DataLoader(val_data, batch_size=16, sampler=range(hvd.rank(), len(val_data), hvd.size())),
}
model = nn.Linear(6, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())


def total_loss(logits, target, sums):
    entropy = F.binary_cross_entropy_with_logits(logits, target)
    distance = F.mse_loss(torch.sigmoid(logits), target)
    loss = 0.5 * entropy + 0.5 * distance
    sums["entropy"] += entropy.data.cpu().numpy() * target.size(0)
    sums["distance"] += distance.item() * target.size(0)
    sums["loss"] += loss.item() * target.size(0)
    return loss


def show(sums, samples, phase):
    parts = []
    for name in sums.keys():
        parts.append("{}: {:.4f}".format(name, sums[name] / samples))
    if hvd.rank() == 0:
        print("{}: {}".format(phase, ", ".join(parts)))


best = 1e10
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(3):
    for phase in ["train", "val"]:
        if phase == "train":
            model.train()
        else:
            model.eval()
        sums = defaultdict(float)
        samples = 0
        if phase == "train":
            loaders[phase].sampler.set_epoch(epoch)
        for inputs, targets in loaders[phase]:
            optimizer.zero_grad()
            with torch.set_grad_enabled(phase == "train"):
                loss = total_loss(model(inputs), targets, sums)
                if phase == "train":
                    loss.backward()
                    optimizer.step()
            samples += inputs.size(0)
        totals = hvd.allreduce(
            torch.tensor([samples, float(sums["entropy"]), sums["distance"], sums["loss"]], dtype=torch.float64),
            op=hvd.Sum,
        )
        samples, sums["entropy"], sums["distance"], sums["loss"] = (
            int(totals[0]),
            np.float64(totals[1].item()),
            totals[2].item(),
            totals[3].item(),
        )
        show(sums, samples, phase)
        if phase == "val" and sums["loss"] / samples < best:
            best = sums["loss"] / samples
            if hvd.rank() == 0:
                torch.save(model.state_dict(), "best.pt")
hvd.shutdown()
