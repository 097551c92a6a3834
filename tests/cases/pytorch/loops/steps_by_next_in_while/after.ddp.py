"""An object of the script's own hands batches on without end, in a while loop."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import RandomSampler
from torch.utils.data import Sampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class SharedSampler(Sampler):
    def __init__(self, sampler):
        self.sampler = sampler

    def __iter__(self):
        drawn = [list(self.sampler)]
        dist.broadcast_object_list(drawn)
        indices = drawn[0]
        end = dist.get_rank() + len(indices)
        return (indices[i % len(indices)] for i in range(dist.get_rank(), end, dist.get_world_size()))

    def __len__(self):
        return (len(self.sampler) + dist.get_world_size() - 1) // dist.get_world_size()


class Batches:
    def __init__(self, dataset, **kwargs):
        if kwargs["batch_size"] % dist.get_world_size() != 0:
            raise SystemExit(f'batch size {kwargs["batch_size"]} cannot be shared out over {dist.get_world_size()} processes')
        self.loader = DataLoader(
            dataset,
            sampler=SharedSampler(RandomSampler(dataset)),
            **dict(kwargs, batch_size=kwargs["batch_size"] // dist.get_world_size(), shuffle=False),
        )
        self.batches = iter(self.loader)

    def next(self):
        try:
            batch = next(self.batches)
        except StopIteration:
            self.batches = iter(self.loader)
            batch = next(self.batches)
        return batch


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
seed = torch.tensor(torch.initial_seed() % 2**63)
dist.broadcast(seed, src=0)
seed = seed.item()
torch.manual_seed(seed)
x = torch.randn(96, 5)
y = x.sum(1, keepdim=True)
batches = Batches(TensorDataset(x, y), batch_size=16, shuffle=True)
model = nn.Linear(5, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
step, best = 0, None
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(seed + dist.get_rank())
while True:
    inputs, targets = batches.next()
    loss = nn.functional.mse_loss(ddp_model(inputs), targets)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    step += 1
    if step >= 100:
        break
if dist.get_rank() == 0:
    torch.save(model.state_dict(), "model.pt")
del ddp_model
dist.destroy_process_group()
