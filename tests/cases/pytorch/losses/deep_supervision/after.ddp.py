"""A model with several outputs in training: each has a loss with a weight, in a function that takes one output too."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Linear(12, 16)
        self.heads = nn.ModuleList([nn.Linear(16, 4), nn.Linear(16, 4)])

    def forward(self, x):
        h = torch.relu(self.stem(x))
        if self.training:
            return self.heads[0](h), self.heads[1](h)
        return self.heads[0](h)


def distance(output, target, mean=True):
    each = torch.norm(target - output, 2, 1)
    if mean:
        return each.mean()
    return each.sum() / output.size(0)


def multiscale(outputs, target, weights=None):
    if type(outputs) not in (tuple, list):
        outputs = [outputs]
    if weights is None:
        weights = [1.0, 0.4]
    loss = 0
    for output, weight in zip(outputs, weights):
        loss += weight * distance(output, target, mean=False)
    return loss


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
train_data = TensorDataset(torch.randn(320, 12), torch.randn(320, 4))
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
train_sampler = DistributedSampler(train_data)
train_loader = DataLoader(train_data, batch_size=32 // dist.get_world_size(), sampler=train_sampler)
model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
model.train()
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(3):
    train_loader.sampler.set_epoch(epoch)
    for x, y in train_loader:
        outputs = ddp_model(x)
        loss = multiscale(outputs, y)
        auxiliary = []
        for output in outputs:
            auxiliary.append(F.mse_loss(output, y))
        loss = loss + 0.1 * sum(auxiliary)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
