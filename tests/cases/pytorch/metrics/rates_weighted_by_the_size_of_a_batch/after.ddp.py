"""How well masks overlap is a ratio of sums over a batch, which counts as often as the batch has samples."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class Meter:
    def __init__(self):
        self.total = 0.0
        self.count = 0

    def update(self, value, n):
        self.total += value * n
        self.count += n


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
images = torch.randn(96, 1, 8, 8)
masks = (images > 0).float()
loader_data = TensorDataset(images[:64], masks[:64])
if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=16 // dist.get_world_size(), sampler=loader_sampler)
held_out = DataLoader(TensorDataset(images[64:], masks[64:]), batch_size=12)
model = nn.Conv2d(1, 1, 3, padding=1)
criterion = nn.BCEWithLogitsLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def overlap(logits, masks):
    chosen = (logits > 0).float()
    both = (chosen * masks).sum()
    return ((both + 1e-6) / (chosen.sum() + masks.sum() - both + 1e-6)).item()


ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for inputs, targets in loader:
        loss = criterion(ddp_model(inputs), targets)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    meter = Meter()
    model.eval()
    with torch.no_grad():
        for inputs, targets in held_out:
            meter.update(overlap(model(inputs), targets), len(inputs))
    model.train()
    if dist.get_rank() == 0:
        print(f"epoch {epoch}: {meter.total / meter.count:.3f}")
del ddp_model
dist.destroy_process_group()
