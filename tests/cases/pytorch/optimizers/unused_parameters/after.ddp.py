"""One branch of the model takes no part in the step: DDP must be told to look for unused parameters."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class TwoHeads(nn.Module):
    def __init__(self, use_aux=False):
        super().__init__()
        self.body = nn.Linear(10, 20)
        self.head = nn.Linear(20, 2)
        self.aux = nn.Linear(20, 5)
        self.use_aux = use_aux

    def forward(self, x):
        h = torch.relu(self.body(x))
        if self.use_aux:
            return self.head(h), self.aux(h)
        return self.head(h)


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
loader_data = TensorDataset(torch.randn(300, 10), torch.randint(0, 2, (300,)))
if 30 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 30 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=30 // dist.get_world_size(), sampler=loader_sampler)
model = TwoHeads()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model, find_unused_parameters=True)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(ddp_model(x), y).backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
