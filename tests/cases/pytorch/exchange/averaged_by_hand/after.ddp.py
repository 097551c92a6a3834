"""What no wrapper averages is sent as it is, and that is said."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
import torch.distributed.algorithms.ddp_comm_hooks.default_hooks as default_hooks
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
seed = torch.tensor(torch.initial_seed() % 2**63)
dist.broadcast(seed, src=0)
seed = seed.item()
torch.manual_seed(seed)
data = TensorDataset(torch.randn(64, 8), torch.randn(64, 2))
if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
loader = DataLoader(data, batch_size=16 // dist.get_world_size(), sampler=DistributedSampler(data))
model = nn.Linear(8, 2)
log_sigma = nn.Parameter(torch.zeros(1))
optimizer = torch.optim.SGD([*model.parameters(), log_sigma], lr=0.1)

ddp_model = DistributedDataParallel(model)
ddp_model.register_comm_hook(None, default_hooks.fp16_compress_hook)
for parameter in [log_sigma]:
    dist.broadcast(parameter.data, src=0)
if dist.get_rank() > 0:
    torch.manual_seed(seed + dist.get_rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for inputs, targets in loader:
        optimizer.zero_grad()
        errors = (ddp_model(inputs) - targets) ** 2
        loss = (errors * torch.exp(-log_sigma) + log_sigma).mean()
        loss.backward()
        for parameter in [log_sigma]:
            if parameter.grad is not None:
                dist.all_reduce(parameter.grad)
                parameter.grad /= dist.get_world_size()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
