"""Imagenet-style: the model is taken from torchvision by the name on the command line."""
import argparse

import torch
import torch.nn as nn
import torchvision.models as models
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
parser = argparse.ArgumentParser()
parser.add_argument("--arch", default="resnet18")
args = parser.parse_args()

torch.manual_seed(0)
data = TensorDataset(torch.randn(64, 3, 64, 64), torch.randint(0, 10, (64,)))
if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
train_loader = DataLoader(data, batch_size=16 // dist.get_world_size(), sampler=DistributedSampler(data))
model = models.__dict__[args.arch](num_classes=10)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    model.train()
    train_loader.sampler.set_epoch(epoch)
    for images, target in train_loader:
        output = ddp_model(images)
        loss = criterion(output, target)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
if dist.get_rank() == 0:
    torch.save({"arch": args.arch, "state_dict": model.state_dict()}, "checkpoint.pt")
del ddp_model
dist.destroy_process_group()
