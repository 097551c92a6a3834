"""One of the models that may be chosen subtracts the mean of the batch."""
import sys

import nets
import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader
from torchvision import datasets, transforms
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
model = getattr(nets, sys.argv[1])()
loader_data = datasets.MNIST("data", transform=transforms.ToTensor())
if 128 % hvd.size() != 0:
    raise SystemExit(f"batch size 128 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=128 // hvd.size(), sampler=loader_sampler)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
for epoch in range(5):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        loss = F.cross_entropy(model(x.view(x.size(0), -1)), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
hvd.shutdown()
