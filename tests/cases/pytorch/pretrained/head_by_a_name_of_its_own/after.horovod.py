"""A library's model is given a layer by a name that the library does not know, so the forward pass leaves it out."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from torchvision import models
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
torch.manual_seed(seed)
data = TensorDataset(torch.randn(64, 3, 32, 32), torch.randint(0, 10, (64,)))
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(data, batch_size=16 // hvd.size(), sampler=loader_sampler)
model = models.resnet18()
model.out_head = nn.Linear(512, 10)
for parameter in model.out_head.parameters():
    parameter.requires_grad = True
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(seed + hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for images, labels in loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(images), labels)
        loss.backward()
        hvd.grouped_allreduce_(
            [p.grad for group in optimizer.param_groups for p in group["params"] if p.grad is not None]
        )
        optimizer.step()
hvd.shutdown()
