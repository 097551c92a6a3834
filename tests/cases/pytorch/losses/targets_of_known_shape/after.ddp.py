"""Nothing is asked of losses whose sides are known to be alike, or are wider than one number a sample."""

import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
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
data = TensorDataset(torch.randn(64, 4), torch.randn(64, 1))
if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
loader = DataLoader(data, batch_size=16 // dist.get_world_size(), sampler=DistributedSampler(data))
model = nn.Linear(4, 1)
coder = nn.Sequential(nn.Linear(4, 2), nn.Linear(2, 4))
optimizer = torch.optim.SGD([*model.parameters(), *coder.parameters()], lr=0.1)
ddp_coder = DistributedDataParallel(coder)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(seed + dist.get_rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for inputs, targets in loader:
        optimizer.zero_grad()
        coded = ddp_coder(inputs)
        outputs = ddp_model(coded)
        loss = F.mse_loss(coded, inputs) + F.l1_loss(outputs.view(-1), targets.view(-1))
        loss.backward()
        optimizer.step()
del ddp_coder, ddp_model
dist.destroy_process_group()
