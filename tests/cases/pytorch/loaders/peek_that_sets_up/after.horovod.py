"""All processes keep the same batch, so rank 0's seed is shared where the script sets none."""
import torch
from torch import nn
from torch.utils.data import DataLoader
from torchvision import datasets, transforms
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
torch.manual_seed(seed)
data = datasets.MNIST("data", transform=transforms.ToTensor())
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
train_sampler = DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank())
train_loader = DataLoader(data, batch_size=32 // hvd.size(), sampler=train_sampler)
samples, _ = next(iter(DataLoader(train_loader.dataset, batch_size=32, shuffle=True)))
if hvd.rank() == 0:
    torch.save(samples.mean(0), "mean.pt")
model = nn.Sequential(nn.Flatten(), nn.Linear(samples[0].numel(), 10))
model[1].weight.data[0] = samples.view(32, -1).mean(0)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(seed + hvd.rank())
for epoch in range(2):
    train_loader.sampler.set_epoch(epoch)
    for images, labels in train_loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(images), labels).backward()
        optimizer.step()
hvd.shutdown()
