"""Dice of a library of models compares whole batches: a run shows that it is no mean over the samples."""

import segmentation_models_pytorch as smp
import torch
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
data = TensorDataset(torch.zeros(64, 3, 32, 32), torch.zeros(64, 1, 32, 32))
if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
loader = DataLoader(data, batch_size=16 // dist.get_world_size(), sampler=DistributedSampler(data))
model = smp.Unet("resnet18", classes=1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = smp.losses.DiceLoss("binary")
ddp_model = DistributedDataParallel(model)
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        criterion(ddp_model(x), y).mean().backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
