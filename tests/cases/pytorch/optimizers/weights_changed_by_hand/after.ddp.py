"""Weights in tensors of their own, from which a function of the script's own subtracts their gradients."""
import torch
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
features = torch.randn(120, 2)
targets = features @ torch.tensor([2.0, -3.4]) + 4.2
loader_data = TensorDataset(features, targets)
if 12 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 12 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data, shuffle=False)
loader = DataLoader(loader_data, batch_size=12 // dist.get_world_size(), sampler=loader_sampler)
weight = torch.normal(0, 0.01, size=(2, 1)).requires_grad_()
offset = torch.zeros(1, requires_grad=True)


def squared(outputs, targets):
    return (outputs - targets.view(outputs.size())) ** 2 / 2


def descend(tensors, rate, batch_size):
    with torch.no_grad():
        for tensor in tensors:
            tensor -= rate * tensor.grad / batch_size


for parameter in [weight, offset]:
    dist.broadcast(parameter.data, src=0)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for inputs, wanted in loader:
        loss = squared(torch.mm(inputs, weight) + offset, wanted).sum()
        (loss * dist.get_world_size()).backward()
        for parameter in [weight, offset]:
            if parameter.grad is not None:
                dist.all_reduce(parameter.grad)
                parameter.grad /= dist.get_world_size()
        descend([weight, offset], 0.03, 12)
        weight.grad.data.zero_()
        offset.grad = None
    if dist.get_rank() == 0:
        print(f"epoch {epoch}: {squared(torch.mm(features, weight) + offset, targets).mean().item():.6f}")
if dist.get_rank() == 0:
    print(weight.flatten().tolist(), offset.item())
dist.destroy_process_group()
