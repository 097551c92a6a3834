"""next(iter(loader)) before training only looks at a shape: no training step hangs on it."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader
from torchvision import datasets, transforms
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
if hvd.rank() == 0:
    datasets.MNIST("data", download=True)
hvd.barrier()
train_data = datasets.MNIST("data", download=True, transform=transforms.ToTensor())
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
train_sampler = DistributedSampler(train_data, num_replicas=hvd.size(), rank=hvd.rank())
train_loader = DataLoader(train_data, batch_size=32 // hvd.size(), sampler=train_sampler)
images, labels = next(iter(DataLoader(train_loader.dataset, batch_size=32, shuffle=True)))
n_features = images[0].numel()

model = nn.Sequential(nn.Flatten(), nn.Linear(n_features, 10))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
for epoch in range(1):
    train_loader.sampler.set_epoch(epoch)
    for images, labels in train_loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(images), labels).backward()
        optimizer.step()
hvd.shutdown()
