"""shuffle=True moves into a DistributedSampler; set_epoch is called with the loop's own variable."""
import torch
import torch.nn as nn
import torch.optim as optim
from torch.utils.data import DataLoader
from torchvision import datasets, transforms
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
if hvd.rank() == 0:
    datasets.MNIST("data", train=True, download=True)
hvd.barrier()
train_set = datasets.MNIST("data", train=True, download=True, transform=transforms.ToTensor())
if 64 % hvd.size() != 0:
    raise SystemExit(f"batch size 64 cannot be shared out over {hvd.size()} processes")
train_sampler = DistributedSampler(train_set, num_replicas=hvd.size(), rank=hvd.rank())
train_loader = DataLoader(train_set, batch_size=64 // hvd.size(), sampler=train_sampler)

model = nn.Sequential(nn.Flatten(), nn.Linear(784, 128), nn.ReLU(), nn.Linear(128, 10))
criterion = nn.CrossEntropyLoss()
optimizer = optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())

hvd.broadcast_parameters(model.state_dict(), root_rank=0)
for epoch in range(5):
    train_loader.sampler.set_epoch(epoch)
    for images, labels in train_loader:
        optimizer.zero_grad()
        loss = criterion(model(images), labels)
        loss.backward()
        optimizer.step()
    if hvd.rank() == 0:
        print("epoch", epoch, "done")
hvd.shutdown()
