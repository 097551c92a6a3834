"""A helper adds to the sums in a defaultdict, of a phase that trains and one that does not; a text is joined of them."""
from collections import defaultdict

import torch
from torch import nn
from torch.nn import functional as F
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
x = torch.randn(160, 6)
y = (x[:, :1] > 0).float()
train_data = TensorDataset(x[:128], y[:128])
val_data = TensorDataset(x[128:], y[128:])
if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
loaders = {
    "train": DataLoader(train_data, batch_size=16 // dist.get_world_size(), sampler=DistributedSampler(train_data)),
    "val": DataLoader(val_data, batch_size=16, sampler=range(dist.get_rank(), len(val_data), dist.get_world_size())),
}
model = nn.Linear(6, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


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
    if dist.get_rank() == 0:
        print("{}: {}".format(phase, ", ".join(parts)))


best = 1e10
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
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
                loss = total_loss((ddp_model if torch.is_grad_enabled() else model)(inputs), targets, sums)
                if phase == "train":
                    loss.backward()
                    optimizer.step()
            samples += inputs.size(0)
        totals = torch.tensor([samples, float(sums["entropy"]), sums["distance"], sums["loss"]], dtype=torch.float64)
        dist.all_reduce(totals)
        samples, sums["entropy"], sums["distance"], sums["loss"] = (
            int(totals[0]),
            np.float64(totals[1].item()),
            totals[2].item(),
            totals[3].item(),
        )
        show(sums, samples, phase)
        if phase == "val" and sums["loss"] / samples < best:
            best = sums["loss"] / samples
            if dist.get_rank() == 0:
                torch.save(model.state_dict(), "best.pt")
del ddp_model
dist.destroy_process_group()
