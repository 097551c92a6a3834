"""A generator of the script's own says the order: rank 0 draws by it for all processes."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import RandomSampler
from torch.utils.data import Sampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(1)
inputs = torch.randn(600, 5)
data = TensorDataset(inputs, inputs.sum(1, keepdim=True))
generator = torch.Generator()
generator.manual_seed(7)


class SharedSampler(Sampler):
    def __init__(self, sampler, drop_last=False):
        self.sampler = sampler
        self.drop_last = drop_last

    def __iter__(self):
        drawn = [list(self.sampler)]
        dist.broadcast_object_list(drawn)
        indices = drawn[0]
        if self.drop_last:
            del indices[len(indices) // dist.get_world_size() * dist.get_world_size() :]
        end = dist.get_rank() + len(indices)
        return (indices[i % len(indices)] for i in range(dist.get_rank(), end, dist.get_world_size()))

    def __len__(self):
        return (len(self.sampler) + (0 if self.drop_last else dist.get_world_size() - 1)) // dist.get_world_size()


if 30 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 30 cannot be shared out over {dist.get_world_size()} processes")
loader = DataLoader(
    data,
    batch_size=30 // dist.get_world_size(),
    sampler=SharedSampler(RandomSampler(data, generator=generator), drop_last=True),
    drop_last=True,
    generator=generator,
)
model = nn.Linear(5, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(1 + dist.get_rank())
for epoch in range(4):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(ddp_model(x), y).backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
