"""Gradients of a model that is trained by a method are averaged before they are clipped, under a condition."""
import argparse

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
parser = argparse.ArgumentParser()
parser.add_argument("--clip", type=float, default=0.5)
args = parser.parse_args()


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(10, 3)
        self.scale = nn.Parameter(torch.ones(3))

    def log_prob(self, x, y):
        scores = torch.log_softmax(self.layer(x) * self.scale, dim=1)
        return scores.gather(1, y.unsqueeze(1)).squeeze(1)


torch.manual_seed(0)
loader_data = TensorDataset(torch.randn(320, 10), torch.randint(0, 3, (320,)))
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=32 // dist.get_world_size(), sampler=loader_sampler)
model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
for tensor in [*model.parameters(), *model.buffers()]:
    dist.broadcast(tensor.data, src=0)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        loss = -model.log_prob(x, y).mean()
        loss.backward()
        for parameter in [p for group in optimizer.param_groups for p in group["params"]]:
            if parameter.grad is not None:
                dist.all_reduce(parameter.grad)
                parameter.grad /= dist.get_world_size()
        if args.clip > 0:
            torch.nn.utils.clip_grad_norm_(model.parameters(), args.clip)
        optimizer.step()
if dist.get_rank() == 0:
    torch.save(model.state_dict(), "model.pt")
dist.destroy_process_group()
