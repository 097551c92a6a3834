"""Dice of a library of models compares whole batches: a run shows that it is no mean over the samples."""

import segmentation_models_pytorch as smp
import torch
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
data = TensorDataset(torch.zeros(64, 3, 32, 32), torch.zeros(64, 1, 32, 32))
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(data, batch_size=16 // hvd.size(), sampler=loader_sampler)
model = smp.Unet("resnet18", classes=1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
criterion = smp.losses.DiceLoss("binary")
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        criterion(model(x), y).mean().backward()
        optimizer.step()
hvd.shutdown()
