"""Weights in tensors of their own, from which a function of the script's own subtracts their gradients."""
import torch
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
features = torch.randn(120, 2)
targets = features @ torch.tensor([2.0, -3.4]) + 4.2
loader_data = TensorDataset(features, targets)
if 12 % hvd.size() != 0:
    raise SystemExit(f"batch size 12 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank(), shuffle=False)
loader = DataLoader(loader_data, batch_size=12 // hvd.size(), sampler=loader_sampler)
weight = torch.normal(0, 0.01, size=(2, 1)).requires_grad_()
offset = torch.zeros(1, requires_grad=True)


def squared(outputs, targets):
    return (outputs - targets.view(outputs.size())) ** 2 / 2


def descend(tensors, rate, batch_size):
    with torch.no_grad():
        for tensor in tensors:
            tensor -= rate * tensor.grad / batch_size


for parameter in [weight, offset]:
    hvd.broadcast_(parameter.data, root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for inputs, wanted in loader:
        loss = squared(torch.mm(inputs, weight) + offset, wanted).sum()
        (loss * hvd.size()).backward()
        hvd.grouped_allreduce_([parameter.grad for parameter in [weight, offset] if parameter.grad is not None])
        descend([weight, offset], 0.03, 12)
        weight.grad.data.zero_()
        offset.grad = None
    if hvd.rank() == 0:
        print(f"epoch {epoch}: {squared(torch.mm(features, weight) + offset, targets).mean().item():.6f}")
if hvd.rank() == 0:
    print(weight.flatten().tolist(), offset.item())
hvd.shutdown()
