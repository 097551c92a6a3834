"""Imagenet-style: the model is taken from torchvision by the name on the command line."""
import argparse

import torch
import torch.nn as nn
import torchvision.models as models
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
parser = argparse.ArgumentParser()
parser.add_argument("--arch", default="resnet18")
args = parser.parse_args()

torch.manual_seed(0)
data = TensorDataset(torch.randn(64, 3, 64, 64), torch.randint(0, 10, (64,)))
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
train_sampler = DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank())
train_loader = DataLoader(data, batch_size=16 // hvd.size(), sampler=train_sampler)
model = models.__dict__[args.arch](num_classes=10)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())

hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    model.train()
    train_loader.sampler.set_epoch(epoch)
    for images, target in train_loader:
        output = model(images)
        loss = criterion(output, target)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
if hvd.rank() == 0:
    torch.save({"arch": args.arch, "state_dict": model.state_dict()}, "checkpoint.pt")
hvd.shutdown()
