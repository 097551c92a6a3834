"""A list of views, as a transform gives it, is one batch for the model: then all rows meet all others."""
import torch
from torch import nn
from torch.utils.data import DataLoader
from torchvision import datasets, transforms
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


class Views:
    def __init__(self, transform, count):
        self.transform, self.count = transform, count

    def __call__(self, image):
        return [self.transform(image) for _ in range(self.count)]


hvd.init()
torch.manual_seed(0)
views = Views(transforms.Compose([transforms.RandomResizedCrop(32), transforms.ToTensor()]), 2)
loader_data = datasets.CIFAR10("data", transform=views)
if 64 % hvd.size() != 0:
    raise SystemExit(f"batch size 64 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank(), drop_last=True)
loader = DataLoader(loader_data, batch_size=64 // hvd.size(), sampler=loader_sampler, drop_last=True)
model = nn.Sequential(nn.Flatten(), nn.Linear(3072, 16))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())


class GatherBatch(torch.autograd.Function):
    @staticmethod
    def forward(ctx, values):
        return hvd.allgather(values.contiguous()).unflatten(0, (hvd.size(), -1)).transpose(0, 1).flatten(0, 1)

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, gradient):
        return hvd.allreduce(gradient.contiguous(), op=hvd.Sum)[hvd.rank() :: hvd.size()]


def gather_batch(values):
    return GatherBatch.apply(values)


hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for images, _ in loader:
        features = gather_batch(model(torch.cat(images, dim=0)))
        loss = torch.matmul(features, features.T).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
hvd.shutdown()
