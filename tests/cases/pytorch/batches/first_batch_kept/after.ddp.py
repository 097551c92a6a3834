"""The first batch of an iterator is kept to look at the model's outputs for it: what no batch changes is no state."""
import numpy as np
import torch
from scipy.misc import imsave
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
torch.manual_seed(0)


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


loader_data = TensorDataset(torch.rand(64, 16))
if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
loader = DataLoader(
    loader_data, batch_size=16 // dist.get_world_size(), sampler=SharedSampler(RandomSampler(loader_data))
)
model = nn.Linear(16, 16)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.MSELoss()
batches = iter(loader)
(fixed,) = next(batches)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for step in range(1, 20):
    if step % len(loader) == 0:
        batches = iter(loader)
    (rows,) = next(batches)
    optimizer.zero_grad()
    loss = criterion(ddp_model(rows), rows)
    loss.backward()
    optimizer.step()
    if step % 5 == 0:
        shown = model(fixed).detach().numpy()
        if dist.get_rank() == 0:
            imsave(f"step_{step}.png", np.concatenate([fixed.numpy(), shown]))
del ddp_model
dist.destroy_process_group()
